// German messages for the API documentation page.

export const apiDocsDe = {
  nav: 'API',
  title: 'API für andere Programme',
  linkOnLoginPage: 'API-Dokumentation',
  intro:
    'Über die API kann ein anderes Programm, etwa ein Buchungssystem oder eine Kasse, Voucher für das Gäste-WLAN erstellen, finden und widerrufen, einzeln oder bis zu 500 auf einmal. Sie verwendet JSON über HTTP; ihre Texte sind englisch. Nötig sind nur ein Schlüssel und die Nummer eines Standorts. Jeder Voucher wird auf der Konsole des Standorts erstellt und gilt sofort.',
  explore: 'Im Browser ausprobieren',
  download: 'OpenAPI-Dokument',
  contract: 'API mit .php-Adressen',
  contractIntro:
    'Die ältere API mit Adressen wie vouchers.php. Sie bleibt, wie sie ist, für alle, die sie schon verwenden. Schlüssel, Limits und Voucher sind dieselben. Neue Anbindungen verwenden v1.',
  toV1: 'Zur API v1',
  keyElsewhere: 'Der Schlüssel steht in denselben Headern wie bei v1.',
  quickStart: 'Erste Schritte mit curl',
  login: 'Anmelden',
  url: 'Adresse',
  key: 'Schlüssel',
  keyHeaders: 'In einem dieser Header, nie in der Adresse:',
  keyPlace:
    'Der Schlüssel gehört auf einen Server, nicht in eine Webseite oder App: Wer ihn liest, kann ihn benutzen. Fremde Webseiten können die API nicht aus dem Browser aufrufen.',
  keyFrom:
    'Schlüssel vergibt die Verwaltung. Zum Auflisten genügt „Nur lesen“ (read); zum Erstellen und Widerrufen ist „Lesen, erstellen und widerrufen“ (write) nötig.',
  keyManage: 'API-Schlüssel verwalten',
  examples: 'Beispiele',
  examplesIntro:
    'Jedes Beispiel erstellt einen Voucher und listet dann die Voucher von Standort 1 auf. Die Adresse ist schon eingesetzt; der Schlüssel kommt aus der Umgebungsvariablen GASTPASS_KEY.',
  copy: 'Kopieren',
  copyOf: (language: string) => `Beispiel in ${language} kopieren`,
  copied: 'Kopiert',
  endpoints: 'Endpunkte',
  endpointsNote: 'Die Pfade werden an die Adresse oben angehängt.',
  endpoint: 'Endpunkt',
  does: 'Zweck',
  send: {
    path: 'Im Pfad',
    query: 'In der Adresse',
    header: 'Als Header',
    body: 'Im Inhalt, als JSON',
  },
  extended: 'Alle Felder von',
  problemsHere: 'Mögliche Fehler:',
  problems: 'Fehler der API v1',
  problemsIntro:
    'Fehler haben die Form von RFC 9457 (application/problem+json). Programme vergleichen type; er führt zu dieser Erklärung. Ob sich ein neuer Versuch lohnt, sagt retry, auch im Header Gastpass-Retry.',
  commonProblems: 'Bei jedem Aufruf möglich sind:',
  allProblems: 'Alle Fehler und was zu tun ist',
  field: 'Feld',
  type: 'Typ',
  required: 'Pflicht',
  yes: 'ja',
  default: (value: string) => `nein, Standard: ${value}`,
  no: 'nein',
  meaning: 'Bedeutung',
  or: 'oder',
  upTo: 'bis',
  responses: 'Antworten',
  status: 'Status',
  responseFields: 'Felder der Antwort',
  example: 'Beispiel einer Antwort',
  habits: 'Gut zu wissen',
  idempotency: 'Sicher wiederholen',
  idempotencyText:
    'Mit dem Header Idempotency-Key (1 bis 255 sichtbare ASCII-Zeichen, frei gewählt) lässt sich das Erstellen gefahrlos wiederholen: Derselbe Schlüssel mit demselben Inhalt ergibt 24\u00a0Stunden lang dieselbe Antwort und nur einen Voucher. Wurde der Voucher widerrufen oder gelöscht oder ist er abgelaufen, ist der Schlüssel wieder frei: Dieselbe Anfrage erstellt einen neuen Voucher, mit dem Header Idempotency-Key-Freed: true. Mit replaces und reference ersetzt der neue Voucher die übrigen einer Buchung; der Schlüssel enthält dann eine Revision, etwa booking-17-r2, und wird nicht wieder frei. Solange der Ausgang offen ist, kommt 409 mit Retry-After; bei anderem Inhalt kommt 422.',
  mails: 'Per E-Mail oder auf Papier',
  mailsText:
    'Mit dem Feld email (bei den .php-Adressen: mit dem Header Guest-Email) schickt der Dienst den Voucher an den Gast, sobald er existiert. Die Antwort wartet nicht darauf. Die Sprache bestimmt language (Guest-Language), sonst der Standort. Mit dem Feld print (Guest-Print) druckt ein Drucker des Standorts den Voucher. GET /sites nennt die Drucker. Mit einem Schlüssel lassen sich 500\u00a0E-Mails und 500\u00a0Ausdrucke pro Stunde bestellen.',
  limits: 'Anfragen pro Minute',
  limitsText:
    'Ein Schlüssel kann begrenzt sein. Wie viele Anfragen übrig sind, steht dann in RateLimit und X-RateLimit-Remaining. Ist das Limit erreicht, kommt 429 mit Retry-After in Sekunden. Die Minute beginnt mit der ersten Anfrage.',
  etag: 'Listen sparsam abfragen',
  etagText:
    'Listen von Vouchern haben ein ETag. Wird es als If-None-Match mitgeschickt und hat sich die Liste nicht geändert, kommt 304 ohne Inhalt.',
  trace: 'Anfragen wiederfinden',
  traceText: 'Jede Antwort nennt in X-Request-Id eine Nummer. Sie steht auch im Log des Dienstes.',
  errorsTitle: 'Fehler',
  errorsIntro:
    'Fehler sind JSON mit error und message. Die letzte Spalte sagt, ob sich ein neuer Versuch lohnt; in der Antwort steht es im Header Gastpass-Retry (no, yes oder after-settling).',
  error: 'error',
  again: 'Neuer Versuch',
  afterRetry: 'nach `Retry-After`',
  withKey: 'mit demselben `Idempotency-Key`',
  asHeader: 'wie `Gastpass-Retry` sagt',
  errors: {
    'site-id-missing':
      'Eine Angabe fehlt oder ist ungültig, oder der Inhalt ist kein JSON; message sagt, was nicht stimmt.',
    unauthorized: 'Der Schlüssel fehlt, ist falsch oder widerrufen.',
    'scope-missing': 'Dem Schlüssel fehlt das Recht dazu.',
    'site-not-found': 'Diesen Standort oder diesen Voucher gibt es nicht, oder der Standort ist nicht aktiv.',
    'method-not-allowed': 'Diese Methode gibt es hier nicht; Allow nennt die richtigen. Ohne message.',
    'idempotency-in-progress': 'Die erste Anfrage mit diesem Idempotency-Key läuft noch oder wird geklärt.',
    'body-too-slow': 'Die Anfrage kam zu langsam an.',
    'body-too-large': 'Die Anfrage ist größer als 64 KiB.',
    'idempotency-key-reused': 'Dieser Idempotency-Key gehört zu einem anderen Inhalt.',
    'rate-limited': 'Das Limit des Schlüssels ist erreicht.',
    'server-error':
      'Die Konsole hat abgelehnt oder war nicht erreichbar, oder im Dienst ist ein Fehler aufgetreten. Mit demselben Idempotency-Key lässt sich die Anfrage gefahrlos wiederholen.',
    'no-valid-voucher':
      'Die Konsole hat keinen brauchbaren Voucher geliefert. Die Anfrage mit demselben Idempotency-Key wiederholen.',
    'database-unavailable': 'Die Datenbank ist nicht erreichbar; es wurde nichts erstellt.',
    unavailable:
      'Der Dienst startet neu, oder Dienst oder Konsole sind ausgelastet; es wurde nichts erstellt.',
  },
  exploreTitle: 'API ausprobieren',
  exploreIntro:
    'Über „Authorize“ einen Schlüssel eintragen, dann einen Endpunkt aufklappen und „Try it out“ wählen. Der Schlüssel bleibt auf dieser Seite. Die Anfragen sind echt: Jeder erstellte Voucher gilt.',
  exploreBack: 'Zur Beschreibung mit Beispielen',
  exploreNoScript: 'Dieser Teil braucht JavaScript. Die Beschreibung mit allen Beispielen kommt ohne aus.',
};

/** Texts of the OpenAPI documents, which stay as they are, in the words of the pages. */
export const OPENAPI_IN_PAGE_WORDS = new Map([
  ['Aktive Sites auflisten', 'Aktive Standorte auflisten'],
  ['Liste der aktiven Sites', 'Liste der aktiven Standorte'],
  ['Voucher einer Site auflisten', 'Voucher eines Standorts auflisten'],
  ['Site oder Voucher nicht gefunden', 'Standort oder Voucher nicht gefunden'],
  ['Name auf dem Controller', 'Name auf der Konsole'],
  ['Benötigt Scope `read`.', 'Nötig ist das Recht zum Lesen (`read`).'],
  [
    'Die neuesten zuerst, höchstens 200. Benötigt Scope `read`.',
    'Die neuesten zuerst, höchstens 200. Nötig ist das Recht zum Lesen (`read`).',
  ],
  ['Benötigt Scope `write`.', 'Nötig ist das Recht zum Schreiben (`write`).'],
  [
    'Löscht den Voucher auf dem Controller; danach gilt er als `expired`. Darf beliebig oft wiederholt werden. Benötigt Scope `write`.',
    'Löscht den Voucher auf der Konsole; danach gilt er als `expired`. Darf beliebig oft wiederholt werden. Nötig ist das Recht zum Schreiben (`write`).',
  ],
  ['Dem Schlüssel fehlt der nötige Scope', 'Dem Schlüssel fehlt das Recht dazu'],
  [
    'Der Controller hat abgelehnt oder ist nicht erreichbar',
    'Die Konsole hat abgelehnt oder ist nicht erreichbar',
  ],
  [
    'Controller, Dienst oder Datenbank gerade nicht verfügbar',
    'Konsole, Dienst oder Datenbank gerade nicht verfügbar',
  ],
]);

export type ApiDocsMessages = typeof apiDocsDe;
