// German messages for the site pages.

import type { FailureCause } from '../../domain/controller.ts';

export const sitesDe = {
  title: 'Standorte',
  intro: 'Ein Standort ist ein Ort mit Gäste-WLAN. Sein Controller macht die Voucher.',
  empty:
    'Noch kein Standort. Nötig sind die Adresse des Controllers und ein Zugang; alles wird gleich geprüft.',
  add: 'Standort einrichten',
  open: 'Öffnen',
  name: 'Name',
  nameHint: 'Steht auf Vouchern und in Benachrichtigungen',
  number: 'Nummer (site_id)',
  kind: 'Controller',
  kindHint:
    'UniFi mit API-Schlüssel ab Network 9.1; klassisch für ältere und eigene Server, mit Benutzer und Passwort',
  kinds: {
    unifi: 'UniFi (API-Schlüssel)',
    'unifi-classic': 'UniFi klassisch (Benutzer und Passwort)',
    simulator: 'Simulator (zum Ausprobieren)',
  },
  kindsInShort: { unifi: 'UniFi', 'unifi-classic': 'UniFi klassisch', simulator: 'Simulator' },
  controllerSite: 'Site auf dem Controller',
  controllerSiteHint: 'Der kurze Name aus der Adresszeile des Controllers; meist default',
  controllerSiteTrial:
    'Beim Simulator beliebig; fail:refuse, fail:unreachable und andere lassen jeden Voucher scheitern',
  url: 'Adresse',
  urlHint: 'Zum Beispiel https://192.168.1.1 oder https://unifi.example:8443; entfällt beim Simulator',
  urlHintUnifi: 'Zum Beispiel https://192.168.1.1 oder https://unifi.example:8443',
  urlWrong: 'Bitte eine Adresse wie https://192.168.1.1, mit https und ohne Zugangsdaten.',
  tooLong: (most: number) => `Höchstens ${most} Zeichen.`,
  missing: 'Bitte ausfüllen.',
  invisible: 'Enthält unsichtbare Zeichen.',
  imports: 'Fremde Voucher mit anzeigen',
  importsHint: 'Voucher, die andere auf dem Controller anlegen',
  state: 'Zustand',
  active: 'aktiv',
  inactive: 'inaktiv',
  activate: 'Aktivieren',
  activated: 'Der Standort ist aktiv.',
  activatedBut: 'Der Standort ist aktiv, aber sein Controller nimmt gerade nichts an.',
  deactivate: 'Deaktivieren',
  deactivateAsk: (name: string) => `Standort „${name}“ deaktivieren?`,
  deactivateWhat:
    'Neue Voucher sind dort nicht mehr möglich, auch nicht über die API, und die Nutzung wird nicht mehr abgeglichen. Ausgegebene Voucher gelten auf dem Controller weiter. Der Standort lässt sich jederzeit wieder aktivieren.',
  sync: 'Abgleich',
  syncNow: 'Jetzt abgleichen',
  syncFailing: 'schlägt fehl',
  syncStale: 'veraltet',
  syncSince: (since: string) => `Seit ${since}.`,
  syncSucceeded: (succeeded: string) => `Zuletzt gelungen: ${succeeded}`,
  syncOld: (succeeded: string) => `Zuletzt ${succeeded}. Läuft der Dienst ohne Unterbrechung?`,
  synced: (listed: number, changed: number, gone: number, imported: number) =>
    `Abgeglichen: ${listed} auf dem Controller, ${changed} geändert, ${gone} verschwunden, ${imported} neu übernommen.`,
  syncUnderWay: 'Der Abgleich läuft noch. Das Ergebnis steht nachher hier.',
  syncBusy: 'Dieser Standort wird gerade schon abgeglichen.',
  syncFailed: 'Der Abgleich ist fehlgeschlagen.',
  test: 'Mit Testvoucher prüfen',
  works: (name: string) =>
    `${name}: Ein Testvoucher ist gemacht und wieder gelöscht worden. Alles in Ordnung.`,
  testFailed: 'Die Prüfung ist fehlgeschlagen.',
  testNotMade: 'Der Controller antwortet, hat aber keinen Testvoucher gemacht.',
  testUnknown: (name: string) =>
    `Ob der Testvoucher entstanden ist, ist ungewiss. Wenn ja, steht er auf dem Controller als „${name}“ und kann dort gelöscht werden.`,
  testLeft: (name: string, code: string) =>
    `Der Testvoucher ist gemacht, ließ sich aber nicht löschen. Bitte auf dem Controller löschen: „${name}“${code && `, Code ${code}`}.`,
  certificate: 'Zertifikat',
  trusts: {
    ca: 'von einer anerkannten Stelle bestätigt',
    pinned: 'selbst bestätigt, SHA-256:',
    insecure: 'wird nicht geprüft: Wer dazwischen sitzt, kann mitlesen. Zugang ändern, um es zu bestätigen.',
  },
  credentials: 'Zugangsdaten',
  credentialsKept: 'hinterlegt; werden nicht mehr angezeigt',
  change: 'Name und Umfang ändern',
  changeAccess: 'Zugang ändern',
  accessOf: (name: string) => `Zugang zu „${name}“ ändern`,
  steps: ['Adresse', 'Zertifikat', 'Zugangsdaten', 'Site und Test'],
  stepsLabel: 'Schritte',
  next: 'Weiter',
  connecting: 'Verbindung wird aufgebaut …',
  back: 'Zurück',
  certificateTitle: 'Ist das der richtige Controller?',
  certificateWhat: (url: string) =>
    `Für das Zertifikat von ${url} bürgt keine anerkannte Stelle; bei UniFi ist das üblich. Stimmt dieser SHA-256-Fingerabdruck, spricht Gastpass ab jetzt nur noch mit genau diesem Gerät. Zugangsdaten wurden noch keine gesendet.`,
  certificateHow: 'So lässt er sich vergleichen',
  certificateCommand: 'Auf dem Controller selbst oder in seinem Netz diesen Befehl ausführen:',
  certificateChanged: 'Das Zertifikat des Controllers hat sich geändert',
  certificateChangedWhat: (url: string) =>
    `${url} zeigt ein anderes Zertifikat als das bestätigte. Gastpass sendet deshalb nichts mehr dorthin. Wurde es erneuert, etwa bei einem Update oder Gerätetausch, bitte den neuen Fingerabdruck vergleichen und bestätigen. Sonst sitzt vielleicht jemand dazwischen.`,
  certificateBefore: 'Bisher bestätigt',
  certificateNow: 'Jetzt gezeigt',
  confirmedAt: (time: string) => `bestätigt am ${time}`,
  noticedAt: (time: string) => `bemerkt am ${time}`,
  certificateSame: 'Es ist dasselbe Zertifikat wie bisher.',
  certificateNew: 'Neues Zertifikat bestätigen',
  certificateCompare: 'Fingerabdrücke vergleichen',
  certificateYes: 'Stimmt überein, weiter',
  vouched: (url: string) =>
    `Das Zertifikat von ${url} ist von einer anerkannten Stelle bestätigt. Zugangsdaten wurden noch keine gesendet.`,
  confirmed: (url: string) => `Der Fingerabdruck von ${url} ist bestätigt.`,
  credentialsTitle: 'Womit meldet sich Gastpass an?',
  apiKey: 'API-Schlüssel',
  apiKeyHint: 'Auf dem Controller unter Settings → Control Plane → Integrations anlegen',
  username: 'Benutzer',
  usernameHint: 'Ein lokaler Administrator, kein Cloud-Konto',
  password: 'Passwort',
  cloud: 'Cloud-Konten verlangen einen zweiten Faktor. Bitte einen lokalen Administrator anlegen.',
  keep: 'Leer lassen, um die bisherigen zu behalten.',
  again: 'Zugangsdaten stehen nie in einer Seite; bitte noch einmal eintragen.',
  signIn: 'Anmelden',
  signingIn: 'Anmeldung wird versucht …',
  signInFailed: 'Die Anmeldung ist fehlgeschlagen.',
  tooLate: 'Die Zugangsdaten aus dem Schritt davor gelten nicht mehr. Bitte noch einmal von vorn.',
  siteTitle: 'Welche Site des Controllers?',
  signedIn: (count: number) =>
    `Die Anmeldung ist gelungen. Der Controller hat ${count === 1 ? 'eine Site' : `${count} Sites`}.`,
  siteChoiceHint: 'So, wie der Controller sie nennt',
  siteTaken: (name: string) => `steht schon für „${name}“`,
  siteTest: (name: string) =>
    `Zum Schluss macht der Controller dort einen Testvoucher („${name}“, 1 Minute, 1 Gerät); er wird gleich wieder gelöscht. Gelingt beides, wird gespeichert.`,
  store: 'Testen und speichern',
  testing: 'Testvoucher wird gemacht und gelöscht …',
  anywayTitle: 'Trotzdem speichern',
  anywayWhat:
    'Ist der Controller nur gerade nicht bereit, lässt sich der Standort mit diesen Zugangsdaten speichern und später aktivieren.',
  storeAnyway: 'Inaktiv speichern',
  twin: (name: string) => `„${name}“ steht schon für diese Site des Controllers.`,
  busy: 'Gerade wird ein anderer Standort gespeichert. Bitte noch einmal.',
  remove: 'Entfernen',
  removeAsk: (name: string) => `Standort „${name}“ entfernen?`,
  removeWhat:
    'Der Standort hat keine Voucher und ist niemandem zugeordnet. Seine Adresse und Zugangsdaten werden gelöscht. Das lässt sich nicht zurücknehmen.',
  removeRefused:
    'Der Standort ist aktiv, hat Voucher oder ist Benutzern oder Profilen zugeordnet. Er kann nur deaktiviert werden.',
  said: 'Technische Meldung:',
  unreachable: 'Der Controller ist nicht erreichbar.',
  mend: {
    'name-unknown': 'Diesen Namen kennt das Netz nicht. Schreibweise prüfen oder die IP-Adresse eintragen.',
    'nobody-answers':
      'Unter dieser Adresse antwortet niemand. Adresse und Port prüfen, und ob der Controller läuft und von diesem Server aus erreichbar ist.',
    'not-https':
      'Dort antwortet etwas, das kein HTTPS spricht. Port prüfen (UniFi OS: 443, eigener Server: 8443).',
    'other-certificate':
      'Der Controller zeigt ein anderes Zertifikat als das bestätigte; es wurde nichts gesendet. Wurde es erneuert, den Zugang ändern und das neue bestätigen. Sonst sitzt vielleicht jemand dazwischen.',
    'unvouched-certificate':
      'Für das Zertifikat bürgt keine anerkannte Stelle mehr. Zugang ändern und das neue bestätigen.',
    'not-unifi': 'Dort antwortet kein UniFi-Controller. Adresse und Port prüfen.',
    'no-integration-api':
      'Dieser Controller kennt die Integration API nicht. „UniFi klassisch“ wählen oder ihn aktualisieren.',
    'api-key': 'Der API-Schlüssel gilt nicht. Auf dem Controller einen neuen anlegen und hier eintragen.',
    login: 'Benutzer oder Passwort stimmt nicht. Es muss ein lokaler Administrator des Controllers sein.',
    'second-factor': 'Dieses Konto verlangt einen zweiten Faktor. Einen lokalen Administrator ohne anlegen.',
    role: 'Der Zugang darf zu wenig. Er muss einem Administrator dieser Site gehören, der Voucher anlegen darf.',
    'no-such-site':
      'Diese Site gibt es dort nicht, oder nicht für dieses Konto. Den Zugang ändern und eine aus der Liste wählen.',
    'asks-for-pause':
      'Der Controller hat zu viele Anfragen oder Anmeldungen erhalten und bittet um eine Pause. In einigen Minuten noch einmal.',
    refused:
      'Der Controller hat es abgelehnt. Manche nehmen keine Voucher mehr an, wenn zu viele gespeichert sind; dann dort alte löschen.',
    failed:
      'Der Controller meldet einen eigenen Fehler. Läuft er gerade erst an, etwas warten; sonst neu starten.',
    'too-slow': 'Der Controller antwortet nicht rechtzeitig. Auslastung und Netz prüfen, dann noch einmal.',
    'broke-off': 'Die Verbindung ist mittendrin abgebrochen. Netz prüfen, dann noch einmal.',
    away: 'Der Controller war mehrmals hintereinander nicht erreichbar und wird für einige Sekunden in Ruhe gelassen. Gleich noch einmal.',
    busy: 'Der Controller ist ausgelastet oder zu langsam; es wurde nichts gesendet. Bitte gleich noch einmal versuchen.',
    'no-voucher': 'Der Controller hat keinen brauchbaren Voucher geliefert. Sein Hotspot-Portal prüfen.',
    unknown: 'Die technische Meldung sagt mehr. Danach noch einmal prüfen.',
  } satisfies Record<FailureCause | 'unknown', string>,
};

export type SitesMessages = typeof sitesDe;
