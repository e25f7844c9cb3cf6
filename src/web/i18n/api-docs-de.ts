// German messages for the API documentation page.

export const apiDocsDe = {
  nav: 'API',
  title: 'API für Integratoren',
  atTheDoor: 'API-Dokumentation',
  intro:
    'Mit der API legt ein anderes Programm, etwa ein Buchungssystem oder eine Kasse, Voucher für das Gäste-WLAN an und listet sie. Die API hat drei Endpunkte und verwendet JSON über HTTP. Nötig sind nur ein Schlüssel und die Nummer eines Standorts. Jeder Voucher entsteht auf dem Controller des Standorts und gilt sofort.',
  explore: 'Im Browser ausprobieren',
  download: 'OpenAPI-Dokument',
  signIn: 'Anmelden',
  url: 'Adresse',
  key: 'Schlüssel',
  keyHeaders: 'In einer dieser Kopfzeilen, nie in der Adresse:',
  keyPlace:
    'Der Schlüssel gehört auf einen Server und nicht in eine Webseite oder App: Wer ihn liest, kann ihn benutzen. Webseiten anderer Herkunft können die API nicht aus dem Browser aufrufen.',
  keyFrom: 'Schlüssel gibt ein Administrator aus. Zum Lesen genügt „read“, zum Erstellen braucht es „write“.',
  keyManage: 'API-Schlüssel verwalten',
  examples: 'Beispiele',
  examplesIntro:
    'Jedes erstellt einen Voucher und listet die des Standorts 1. Die Adresse stimmt schon; der Schlüssel kommt aus der Umgebungsvariablen GASTPASS_KEY.',
  copy: 'Kopieren',
  copyOf: (language: string) => `Beispiel in ${language} kopieren`,
  copied: 'Kopiert',
  endpoints: 'Endpunkte',
  endpointsNote: 'Adressen sind relativ zu der oben genannten.',
  endpoint: 'Endpunkt',
  does: 'Zweck',
  send: { query: 'In der Adresse', body: 'Im Inhalt, als JSON' },
  field: 'Feld',
  type: 'Art',
  required: 'Nötig',
  yes: 'ja',
  default: (value: string) => `nein, sonst ${value}`,
  no: 'nein',
  meaning: 'Bedeutung',
  or: 'oder',
  upTo: 'bis',
  answers: 'Antworten',
  status: 'Status',
  answerFields: 'Felder der Antwort',
  example: 'Beispiel einer Antwort',
  habits: 'Gut zu wissen',
  idempotency: 'Sicher wiederholen',
  idempotencyText:
    'Mit der Kopfzeile Idempotency-Key (1 bis 255 sichtbare ASCII-Zeichen, frei gewählt) lässt sich das Erstellen gefahrlos wiederholen: Derselbe Schlüssel mit demselben Inhalt ergibt 24 Stunden lang dieselbe Antwort und nur einen Voucher. Ist der Ausgang noch offen, kommt 409 mit Retry-After; mit anderem Inhalt 422.',
  limits: 'Anfragen pro Minute',
  limitsText:
    'Ein Schlüssel kann begrenzt sein. Dann nennen RateLimit und X-RateLimit-Remaining, was übrig ist; darüber kommt 429 mit Retry-After in Sekunden. Die Minute beginnt mit der ersten Anfrage.',
  etag: 'Listen sparsam abfragen',
  etagText:
    'Listen von Vouchern tragen ein ETag. Als If-None-Match zurückgeschickt, ergibt eine unveränderte Liste 304 ohne Inhalt.',
  trace: 'Nachfragen',
  traceText: 'Jede Antwort trägt X-Request-Id. Die Nummer steht auch im Log des Dienstes.',
  errorsTitle: 'Fehler',
  errorsIntro:
    'Fehler sind JSON mit error und message. Die letzte Spalte sagt, ob sich ein neuer Versuch lohnt.',
  error: 'error',
  again: 'Neuer Versuch',
  afterRetry: 'nach Retry-After',
  withKey: 'mit demselben Idempotency-Key',
  errors: {
    'site-id-missing': 'Etwas fehlt oder ist ungültig; message sagt, was. Auch Inhalt, der kein JSON ist.',
    unauthorized: 'Kein Schlüssel, ein falscher oder ein widerrufener.',
    'scope-missing': 'Der Schlüssel darf das nicht.',
    'site-not-found': 'Diesen Standort gibt es nicht, oder er ist nicht aktiv.',
    'method-not-allowed': 'Diese Methode gibt es hier nicht; Allow nennt die richtigen. Ohne message.',
    'idempotency-in-progress': 'Die erste Anfrage mit diesem Idempotency-Key läuft noch oder wird geklärt.',
    'body-too-large': 'Die Anfrage ist größer als 64 KiB.',
    'idempotency-key-reused': 'Dieser Idempotency-Key gehört zu einem anderen Inhalt.',
    'rate-limited': 'Das Limit des Schlüssels ist erreicht.',
    'server-error':
      'Der Controller hat abgelehnt, war nicht erreichbar, oder der Dienst hatte einen Fehler. Mit demselben Idempotency-Key lässt es sich gefahrlos wiederholen.',
    'no-valid-voucher':
      'Der Controller gab keinen brauchbaren Voucher zurück. Mit demselben Idempotency-Key wiederholen.',
    'database-unavailable': 'Die Datenbank ist nicht erreichbar; nichts wurde erstellt.',
    unavailable:
      'Der Dienst startet neu, oder Dienst oder Controller sind ausgelastet; nichts wurde erstellt.',
  },
  exploreTitle: 'API ausprobieren',
  exploreIntro:
    'Über „Authorize“ einen Schlüssel eintragen, dann einen Endpunkt aufklappen und „Try it out“ wählen. Der Schlüssel bleibt in dieser Seite. Anfragen sind echt: Ein erstellter Voucher gilt.',
  exploreBack: 'Zur Beschreibung mit Beispielen',
  exploreNoScript: 'Dieser Teil braucht JavaScript. Die Beschreibung mit allen Beispielen kommt ohne aus.',
};

export type ApiDocsMessages = typeof apiDocsDe;
