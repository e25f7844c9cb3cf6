// German messages for the site pages.

import type { FailureCause } from '../controllers/controller.ts';

/** The words for a kind of controller and for the fields of its credentials. */
export interface KindTexts {
  name: string;
  short: string;
  /** The texts of each credential, by its name. `refused` explains why an invalid value is not accepted. */
  fields: Record<string, { label: string; hint?: string; refused?: string }>;
}

const kinds: Record<string, KindTexts> = {
  unifi: {
    name: 'UniFi (API-Schlüssel)',
    short: 'UniFi',
    fields: {
      apiKey: {
        label: 'API-Schlüssel',
        hint: 'Auf der Konsole unter Settings → Control Plane → Integrations anlegen',
      },
    },
  },
  'unifi-classic': {
    name: 'UniFi klassisch (Benutzer und Passwort)',
    short: 'UniFi klassisch',
    fields: {
      username: {
        label: 'Benutzer',
        hint: 'Ein lokaler Administrator, kein Cloud-Konto',
        refused: 'Cloud-Konten verlangen einen zweiten Faktor. Bitte einen lokalen Administrator anlegen.',
      },
      password: { label: 'Passwort' },
    },
  },
  simulator: { name: 'Simulator (zum Ausprobieren)', short: 'Simulator', fields: {} },
};

export const sitesDe = {
  title: 'Standorte',
  intro:
    'Ein Standort ist ein Ort mit Gäste-WLAN. Seine Konsole (der UniFi-Controller) erstellt die Voucher.',
  empty: 'Noch kein Standort. Nötig sind die Adresse der Konsole und ein Zugang; alles wird gleich geprüft.',
  add: 'Standort einrichten',
  open: 'Öffnen',
  name: 'Name',
  nameHint: 'Steht auf Vouchern und in Benachrichtigungen',
  number: 'Nummer (site_id)',
  kind: 'Konsole',
  kindHint:
    'Der UniFi-Controller: mit API-Schlüssel ab Network 9.1; klassisch, mit Benutzer und Passwort, für ältere Versionen und eigene Server',
  kinds,
  kindUnknown: 'dieser Version unbekannt',
  controllerSite: 'Site der Konsole',
  controllerSiteHint: 'Der kurze Name aus der Adresszeile der Konsole; meist default',
  controllerSiteTrial:
    'Beim Simulator beliebig; fail:refuse, fail:unreachable und andere lassen jeden Voucher scheitern',
  url: 'Adresse',
  urlHint: 'Zum Beispiel https://192.168.1.1 oder https://unifi.example:8443; entfällt beim Simulator',
  urlHintUnifi: 'Zum Beispiel https://192.168.1.1 oder https://unifi.example:8443',
  urlWrong: 'Bitte eine Adresse wie https://192.168.1.1 eintragen, mit https und ohne Zugangsdaten.',
  tooLong: (most: number) => `Höchstens ${most} Zeichen.`,
  missing: 'Bitte ausfüllen.',
  invisible: 'Enthält unsichtbare Zeichen.',
  checkOut: 'Abreise bis',
  checkOutHint: 'HH:MM, zum Beispiel 11:00. Um diese Uhrzeit enden Voucher „Bis Abreise“.',
  checkOutWrong: 'Bitte eine Uhrzeit wie 11:00 eintragen.',
  timeZone: 'Zeitzone',
  timeZoneWrong: 'Diese Zeitzone ist nicht bekannt.',
  timeZoneUnknown: (zone: string) =>
    `Dieser Server kennt die Zeitzone „${zone}“ nicht. Voucher „Bis Abreise“ richten sich nach der Zeitzone von Gastpass.`,
  timeZoneChoose: 'Eine andere Zeitzone wählen.',
  serviceTimeZone: (zone: string) => `wie Gastpass (${zone})`,
  imports: 'Fremde Voucher mit anzeigen',
  importsHint: 'Voucher, die direkt auf der Konsole erstellt werden',
  replyTo: 'Antworten auf E-Mails an',
  replyToHint: 'Adresse, die Antworten der Gäste bekommt. Leer: der Absender der E-Mails.',
  replyToWrong: 'Bitte eine E-Mail-Adresse ohne Umlaute eintragen, zum Beispiel empfang@example.org.',
  guestPage: 'Gästeseite',
  guestPageHint:
    'Die Rezeption kann Gästen einen Link geben. Er öffnet ohne Anmeldung eine Seite mit Code, WLAN und Anleitung, bis der Voucher endet.',
  guestPageLacksUrl:
    'Damit der Link auf dem Gerät des Gastes funktioniert, muss auch die öffentliche Adresse festgelegt sein.',
  state: 'Status',
  active: 'aktiv',
  inactive: 'inaktiv',
  activate: 'Aktivieren',
  activated: 'Der Standort ist aktiv.',
  activatedBut: 'Der Standort ist aktiv, aber seine Konsole funktioniert gerade nicht.',
  deactivate: 'Deaktivieren',
  deactivateAsk: (name: string) => `Standort „${name}“ deaktivieren?`,
  deactivateWhat:
    'Neue Voucher sind dort nicht mehr möglich, auch nicht über die API, und die Nutzung wird nicht mehr abgeglichen. Ausgegebene Voucher gelten auf der Konsole weiter. Der Standort lässt sich jederzeit wieder aktivieren.',
  revokeKey: (name: string) => `Auch den API-Schlüssel „${name}“ widerrufen`,
  revokeKeyWhy:
    'Er entstand beim ersten Start und darf an allen Standorten Voucher erstellen und widerrufen.',
  keyNeverUsed: 'Er wurde noch nie benutzt.',
  keyUsed: (time: string, ip: string | null) =>
    `Zuletzt benutzt: ${time}\u00a0Uhr${ip === null ? '' : ` von ${ip}`}.`,
  sync: 'Abgleich',
  syncNow: 'Jetzt abgleichen',
  syncStale: 'veraltet',
  syncSince: (since: string) => `Seit ${since}\u00a0Uhr.`,
  syncSucceeded: (succeeded: string) => `Zuletzt erfolgreich: ${succeeded}`,
  syncOld: (succeeded: string) => `Zuletzt ${succeeded}\u00a0Uhr. Läuft der Dienst durchgehend?`,
  synced: (listed: number, changed: number, gone: number, imported: number) =>
    `Abgeglichen: ${listed} auf der Konsole, ${changed} geändert, ${gone} verschwunden, ${imported} neu übernommen.`,
  syncUnderWay: 'Der Abgleich läuft noch. Das Ergebnis erscheint hier.',
  syncBusy: 'Dieser Standort wird gerade schon abgeglichen.',
  syncFailed: 'Der Abgleich ist fehlgeschlagen.',
  test: 'Mit Testvoucher prüfen',
  works: (name: string) => `${name}: Ein Testvoucher wurde erstellt und wieder gelöscht. Alles in Ordnung.`,
  testFailed: 'Die Prüfung ist fehlgeschlagen.',
  testNotMade: 'Die Konsole antwortet, hat aber keinen Testvoucher erstellt.',
  testUnknown: (name: string) =>
    `Ob der Testvoucher erstellt wurde, ist unklar. Wenn ja, steht er auf der Konsole als „${name}“ und kann dort gelöscht werden.`,
  testLeft: (name: string, code: string) =>
    `Der Testvoucher wurde erstellt, ließ sich aber nicht löschen. Bitte auf der Konsole löschen: „${name}“${code && `, Code ${code}`}.`,
  certificate: 'Zertifikat',
  trusts: {
    ca: 'von einer anerkannten Zertifizierungsstelle',
    pinned: 'von Hand bestätigt, SHA-256:',
    insecure: 'wird nicht geprüft: Andere könnten unbemerkt mitlesen. Zum Bestätigen den Zugang ändern.',
    unconfirmed: 'noch nicht bestätigt; es wird nichts gesendet',
  },
  credentials: 'Zugangsdaten',
  credentialsLacking: 'Passwort fehlt noch',
  movedIn: 'Aus Unifi-Voucher-Tool übernommen, noch inaktiv',
  movedInWhat:
    'Vor dem Aktivieren zeigt Gastpass das Zertifikat der Konsole und erstellt einen Testvoucher, der gleich wieder gelöscht wird. API-Schlüssel und Voucher sind schon übernommen.',
  movedInLocked:
    'Das Passwort für die Konsole ließ sich nicht übernehmen. Bitte den Zugang eintragen; nach der Prüfung ist der Standort aktiv.',
  testAndActivate: 'Prüfen und aktivieren',
  enterConnection: 'Zugang eintragen',
  credentialsKept: 'hinterlegt; werden nicht mehr angezeigt',
  change: 'Standort ändern',
  changeConnection: 'Zugang ändern',
  connectionOf: (name: string) => `Zugang zu „${name}“ ändern`,
  steps: ['Adresse', 'Zertifikat', 'Zugangsdaten', 'Auswahl und Test'],
  stepsLabel: 'Schritte',
  next: 'Weiter',
  connecting: 'Verbindung wird aufgebaut …',
  back: 'Zurück',
  certificateTitle: 'Ist das die richtige Konsole?',
  certificateWhat: (url: string) =>
    `Das Zertifikat von ${url} stammt von keiner anerkannten Zertifizierungsstelle; bei UniFi ist das üblich. Stimmt dieser SHA-256-Fingerabdruck, verbindet sich Gastpass ab jetzt nur noch mit genau diesem Gerät. Es wurden noch keine Zugangsdaten gesendet.`,
  certificateHow: 'So vergleichen Sie den Fingerabdruck',
  certificateOpen: (url: string) =>
    `${url} in einem Browser öffnen, am besten an einem Rechner, der per Kabel im Netz der Konsole ist. Der Browser warnt. Die Warnung bitte nicht übergehen, sondern das Zertifikat ansehen:`,
  browsers: [
    {
      name: 'Chrome und Edge',
      how: 'Links neben der Adresse auf „Nicht sicher“ klicken, dann auf den Eintrag zum Zertifikat. Der Wert steht unter „Allgemein“ bei „SHA-256-Fingerabdrücke“ in der Zeile „Zertifikat“, nicht beim öffentlichen Schlüssel.',
    },
    {
      name: 'Firefox',
      how: 'Auf der Warnseite „Erweitert“ wählen, dann den Link zum Zertifikat. Der Wert steht im Abschnitt „Fingerabdrücke“ bei „SHA-256“.',
    },
    {
      name: 'Safari auf dem Mac',
      how: 'Auf der Warnseite „Details einblenden“ wählen, dann den Link zum Zertifikat. Auf den Pfeil vor „Details“ klicken; der Wert steht ganz unten bei „SHA-256“.',
    },
  ],
  certificateSpelling:
    'Groß- und Kleinschreibung, Doppelpunkte und Leerzeichen spielen keine Rolle. Alle 64 Zeichen müssen übereinstimmen.',
  certificateCommand: 'Oder im Netz der Konsole diesen Befehl ausführen:',
  certificateChanged: 'Das Zertifikat der Konsole hat sich geändert',
  certificateChangedWhat: (url: string) =>
    `${url} zeigt ein anderes Zertifikat als das bestätigte. Gastpass sendet deshalb nichts mehr dorthin. Wurde es erneuert, etwa bei einem Update oder Gerätetausch, bitte den neuen Fingerabdruck vergleichen und bestätigen. Sonst versucht vielleicht jemand mitzulesen.`,
  certificateBefore: 'Bisher bestätigt',
  certificateNow: 'Jetzt gezeigt',
  confirmedAt: (time: string) => `bestätigt am ${time}\u00a0Uhr`,
  noticedAt: (time: string) => `bemerkt am ${time}\u00a0Uhr`,
  certificateSame: 'Es ist dasselbe Zertifikat wie bisher.',
  certificateNew: 'Neues Zertifikat bestätigen',
  certificateCompare: 'Fingerabdrücke vergleichen',
  certificateYes: 'Stimmt überein, weiter',
  vouched: (url: string) =>
    `Das Zertifikat von ${url} stammt von einer anerkannten Zertifizierungsstelle. Es wurden noch keine Zugangsdaten gesendet.`,
  confirmed: (url: string) => `Der Fingerabdruck von ${url} ist bestätigt.`,
  credentialsTitle: 'Womit meldet sich Gastpass an der Konsole an?',
  keep: 'Leer lassen, um die bisherigen zu behalten.',
  again: 'Zugangsdaten werden nie angezeigt; bitte noch einmal eintragen.',
  login: 'Anmelden',
  loggingIn: 'Anmeldung läuft …',
  loginFailed: 'Die Anmeldung ist fehlgeschlagen.',
  tooLate: 'Die Zugangsdaten aus dem vorigen Schritt gelten nicht mehr. Bitte noch einmal von vorn beginnen.',
  siteTitle: 'Welche Site der Konsole?',
  loggedIn: (count: number) =>
    `Die Anmeldung ist gelungen. Die Konsole hat ${count === 1 ? 'eine Site' : `${count} Sites`}.`,
  siteChoiceHint: 'Auf einer Konsole kann es mehrere Sites geben; sie heißen hier wie dort.',
  siteTaken: (name: string) => `gehört schon zu „${name}“`,
  sitesTitle: 'Welche Sites der Konsole?',
  sitesHint: 'Der Name steht auf Vouchern und in Benachrichtigungen. Er lässt sich hier oder später ändern.',
  allSites: 'Alle auswählen',
  selected: 'ausgewählt',
  nameOf: (site: string) => `Name für ${site}`,
  chooseSite: 'Bitte mindestens eine Site auswählen.',
  tooManySites: (most: number) => `Bitte höchstens ${most} Sites auf einmal auswählen.`,
  tooSlow: (tested: number) =>
    `Die Konsole antwortet zu langsam, um so viele Sites auf einmal zu testen. Bitte höchstens ${tested} auswählen und die übrigen danach hinzufügen.`,
  noneSaved: 'Es wurde nichts gespeichert.',
  allTaken: 'Alle Sites dieser Konsole sind schon eingerichtet.',
  findSite: 'Site suchen',
  findSiteHint: (most: number) => `Die Liste zeigt höchstens ${most} Sites.`,
  find: 'Suchen',
  sitesTest: (name: string) =>
    `Zum Schluss erstellt die Konsole in jeder ausgewählten Site einen Testvoucher („${name}“, 1 Minute, 1 Gerät), der gleich wieder gelöscht wird. Gespeichert wird nur, wenn das überall gelingt.`,
  reuseTitle: 'Bereits verbundene Konsole',
  reuseWhat:
    'Für weitere Sites derselben Konsole: Adresse, Zugangsdaten und Fingerabdruck bleiben, wie sie sind. Sie brauchen nur Ihr Passwort für Gastpass.',
  reuse: (site: string) => `Verbindung von „${site}“ übernehmen`,
  reuseGone: 'Diese Verbindung gibt es nicht mehr. Bitte noch einmal auswählen.',
  sitesHere: (count: number) => (count === 1 ? 'ein Standort' : `${count} Standorte`),
  newConsole: 'Andere Konsole verbinden',
  siteTest: (name: string) =>
    `Zum Schluss erstellt die Konsole dort einen Testvoucher („${name}“, 1 Minute, 1 Gerät); er wird gleich wieder gelöscht. Gelingt das, wird der Standort gespeichert.`,
  store: 'Testen und speichern',
  testing: 'Testvoucher werden erstellt und gelöscht …',
  anywayTitle: 'Trotzdem speichern',
  anywayWhat:
    'Ist die Konsole nur gerade nicht bereit, lässt sich der Standort mit diesen Zugangsdaten speichern und später aktivieren.',
  storeAnyway: 'Inaktiv speichern',
  twin: (name: string) => `Diese Site der Konsole gehört schon zu „${name}“.`,
  busy: 'Gerade wird ein anderer Standort gespeichert. Bitte noch einmal versuchen.',
  remove: 'Entfernen',
  removeAsk: (name: string) => `Standort „${name}“ entfernen?`,
  removeWhat: (stock: number) =>
    `Der Standort hat keine Voucher und ist niemandem zugeordnet. Seine Adresse und Zugangsdaten werden gelöscht. ${stock === 0 ? '' : stock === 1 ? 'Ein unbenutzter Voucher aus der Reserve oder für Bildschirme bleibt auf der Konsole; bitte dort löschen. ' : `${stock.toLocaleString('de-DE')} unbenutzte Voucher aus der Reserve oder für Bildschirme bleiben auf der Konsole; bitte dort löschen. `}Das lässt sich nicht rückgängig machen.`,
  removeDemoWhat:
    'Auch die Zuordnungen zu Benutzern werden gelöscht. Voucher des Simulators öffnen kein WLAN. Das lässt sich nicht rückgängig machen.',
  removeWith: 'Mit dem Standort werden gelöscht:',
  removeRefused:
    'Der Standort ist aktiv, hat Voucher oder ist Benutzern oder Profilen zugeordnet. Er kann nur deaktiviert werden.',
  said: 'Technische Meldung:',
  unreachable: 'Keine Verbindung zur Konsole.',
  /** What an administrator can do. Pages say it after the cause, which is in `failures.ts`. */
  fixes: {
    'name-unknown': 'Schreibweise prüfen oder die IP-Adresse eintragen.',
    'nobody-answers':
      'Adresse und Port prüfen; die Konsole muss laufen und von diesem Server aus erreichbar sein.',
    'not-https': 'Port prüfen (UniFi OS: 443, eigener Server: 8443).',
    'other-certificate':
      'Es wurde nichts gesendet. Wurde das Zertifikat erneuert, den Zugang ändern und das neue bestätigen. Sonst versucht vielleicht jemand mitzulesen.',
    'unvouched-certificate':
      'Es stammt nicht mehr von einer anerkannten Zertifizierungsstelle. Den Zugang ändern und das neue Zertifikat bestätigen.',
    'not-controller': 'Adresse, Port und Art der Konsole prüfen.',
    'api-missing': 'Die Konsole aktualisieren oder eine andere Art wählen, bei UniFi „UniFi klassisch“.',
    'api-key': 'Prüfen, ob er vollständig ist, oder auf der Konsole einen neuen anlegen.',
    login: 'Benutzer und Passwort prüfen. Es muss ein lokaler Administrator der Konsole sein.',
    'second-factor': 'Einen lokalen Administrator ohne zweiten Faktor anlegen.',
    role: 'Der Zugang muss einem Administrator der Site gehören, der Voucher erstellen darf.',
    'no-such-site':
      'Die Site gibt es dort nicht, oder nicht für dieses Konto. Den Zugang ändern und eine aus der Liste wählen.',
    'other-console':
      'Vielleicht wurde sie neu eingerichtet oder ersetzt. War das gewollt, einen neuen Voucher erstellen; sonst Adresse und Site prüfen.',
    'asks-for-pause': 'In einigen Minuten noch einmal versuchen.',
    refused:
      'Manche Konsolen nehmen keine Voucher mehr an, wenn zu viele gespeichert sind; dann dort alte löschen.',
    failed: 'Startet sie gerade erst, etwas warten; sonst die Konsole neu starten.',
    'too-slow': 'Auslastung und Netz prüfen, dann noch einmal versuchen.',
    'broke-off': 'Netz prüfen, dann noch einmal versuchen.',
    away: 'Nach mehreren Fehlschlägen wartet Gastpass einige Sekunden bis zum nächsten Versuch.',
    busy: 'Es wurde nichts gesendet. Einen Moment warten.',
    'no-voucher': 'Das Hotspot-Portal der Konsole prüfen.',
    'list-too-long': 'Sie hat mehr als 500.000 Einträge. Auf der Konsole alte Voucher löschen.',
    'not-known':
      'Eine neuere Version hat den Standort gespeichert; er lässt sich hier weder benutzen noch ändern. Bitte diese Instanz aktualisieren.',
    unknown: 'Näheres steht in der technischen Meldung. Ist die Ursache behoben, noch einmal prüfen.',
  } satisfies Record<FailureCause | 'unknown', string>,
};

export type SitesMessages = typeof sitesDe;
