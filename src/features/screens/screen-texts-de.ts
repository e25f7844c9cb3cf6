// German messages for screens: the forms, the pairing of a device, the path of a rolling code, and the terms.

import type { AskedField, ScreenKind, ScreenOffers } from './screen.ts';

interface KindTexts {
  name: string;
  /** What guests do with it. */
  what: string;
  /** What to do after adding it. */
  steps: string[];
}

const kinds: Record<ScreenKind, KindTexts> = {
  kiosk: {
    name: 'Kiosk',
    what: 'Gäste tippen auf einem Tablet und holen sich ihren Code selbst.',
    steps: [
      'Nach dem Hinzufügen gibt es einen Kopplungscode, der zehn Minuten gilt.',
      'Auf dem Tablet die Seite /screen öffnen und den Code eingeben oder den QR-Code scannen.',
      'Den Browser auf diese eine Seite beschränken, zum Beispiel mit der Bildschirmfixierung von Android oder dem geführten Zugriff des iPads.',
    ],
  },
  rolling: {
    name: 'Laufender Code',
    what: 'Ein Display zeigt immer einen unbenutzten Code. Sobald jemand ihn benutzt, erscheint der nächste.',
    steps: [
      'Für ein Display mit Browser gibt es nach dem Hinzufügen einen Kopplungscode, der zehn Minuten gilt.',
      'Für E-Paper, Home Assistant und andere Geräte ohne Browser gibt es geheime Adressen mit Bild und Text.',
      'Der nächste Voucher liegt schon bereit, deshalb wartet niemand auf die Konsole.',
    ],
  },
};

const offers: Record<ScreenOffers, string> = {
  vouchers: 'Voucher sofort',
  requests: 'Nur Anfragen',
  both: 'Beides',
};

const asks: Record<AskedField, { label: string; hint: string }> = {
  name: { label: 'Name', hint: 'Steht im Namen des Vouchers und in den Listen.' },
  email: { label: 'E-Mail-Adresse', hint: 'Der Gast bekommt den Code auch als E-Mail.' },
  room: { label: 'Zimmer', hint: 'Steht als Notiz am Voucher.' },
};

export const screensDe = {
  title: 'Bildschirme',
  intro: 'Geräte, an denen Gäste ihren Code ohne Personal bekommen.',
  add: 'Bildschirm hinzufügen',
  empty: 'Noch keine Bildschirme.',
  noSites: 'Ein Bildschirm gehört zu einem Standort. Bitte zuerst einen Standort hinzufügen.',
  addSite: 'Standort hinzufügen',
  choose: 'Was soll der Bildschirm können?',
  chooseThis: 'Auswählen',
  otherKind: 'Andere Art wählen',
  guide: 'So geht es weiter',
  kind: 'Art',
  kinds,
  site: 'Standort',
  siteMissing: 'Bitte einen Standort wählen.',
  name: 'Name',
  nameHint: 'Zum Beispiel „Lobby“. Er steht in Listen und Benachrichtigungen, nicht auf dem Bildschirm.',
  offers: 'Gäste bekommen',
  offersHint: 'Bei einer Anfrage entscheidet das Personal, ob der Gast einen Code bekommt.',
  offersChoices: offers,
  profiles: 'Profile zur Auswahl',
  profilesHint: 'Jedes angekreuzte Profil wird ein großer Knopf.',
  profilesNone: 'Ohne Auswahl gibt es einen Knopf:',
  noProfiles: 'Es gibt noch keine Profile.',
  addProfile: 'Profil anlegen',
  onlyAt: (sites: string) => `nur ${sites}`,
  profile: 'Profil',
  profileHint: 'Was der gezeigte Code erlaubt.',
  standard: 'Standard',
  profilesTooMany: (max: number) =>
    `Bitte höchstens ${max} Profile wählen; mehr Knöpfe passen nicht auf den Bildschirm.`,
  profileWrong: 'Bitte nur Profile wählen, die es an diesem Standort gibt.',
  asks: 'Gäste müssen angeben',
  asksHint:
    'Ohne Auswahl genügt ein Tippen. Angekreuztes ist Pflicht. Wer WLAN anbietet, muss Gäste nicht registrieren (§ 7 DDG): am besten nur fragen, was wirklich gebraucht wird.',
  asksChoices: asks,
  asksNothing: 'nichts',
  mailMissing: 'Dafür muss erst ein Mailserver eingerichtet sein.',
  setupMail: 'Mailserver einrichten',
  choiceMissing: 'Bitte einen der Werte wählen.',
  perMinute: 'Pro Minute',
  perDay: 'Pro Tag',
  limitHint:
    'So viele Voucher gibt dieser Bildschirm höchstens aus. Danach zeigt er einen Hinweis, bis es wieder Codes gibt.',
  idle: 'Pause nach so vielen Minuten ohne Abruf',
  idleHint:
    'Ruft so lange niemand den Code ab, wird kein neuer Voucher vorbereitet. Für E-Paper, das ihn selten abruft, bis zu 1440 Minuten (24 Stunden).',
  printer: 'Drucker',
  printerHint: 'Der Gast bekommt zusätzlich einen Zettel.',
  noPrinter: 'Kein Drucker',
  printerGone: 'Den Drucker gibt es nicht mehr',
  printerWrong: 'Bitte einen Drucker dieses Standorts wählen.',
  moreTerms: 'Nutzungsbedingungen',
  state: 'Status',
  states: {
    waiting: 'nicht gekoppelt',
    online: 'online',
    silent: 'offline',
  },
  since: (time: string) => `seit ${time}\u00a0Uhr`,
  codeUntil: (time: string) => `Kopplungscode gültig bis ${time}\u00a0Uhr`,
  today: 'Letzte 24 Stunden',
  ofLimit: (count: number, limit: number) => `${count} von ${limit}`,
  number: 'Nummer',
  seen: 'Zuletzt gemeldet',
  looked: 'Code zuletzt abgerufen',
  never: 'noch nie',
  device: 'Gerät',
  pairedAt: 'Gekoppelt',
  shows: 'Zeigt gerade',
  showsNothing: 'noch keinen Code',
  pauses: 'Pause',
  pausesAfter: (time: string) => `nach ${time} ohne Abruf`,
  limits: 'Grenzen',
  limitsOf: (perMinute: number, perDay: number) => `${perMinute} pro Minute, ${perDay} pro Tag`,
  edit: 'Bearbeiten',
  editTitle: (name: string) => `${name} bearbeiten`,
  all: 'Alle Bildschirme',
  siteInactive: 'Der Standort ist inaktiv. Der Bildschirm zeigt deshalb „Zurzeit geschlossen“.',
  advice: {
    silent:
      'Das Gerät meldet sich nicht. Bitte prüfen, ob es eingeschaltet und im Netz ist und die Seite /screen zeigt.',
    silentRolling:
      'Seit Längerem hat kein Gerät den Code abgerufen. Bitte prüfen, ob das Display eingeschaltet und im Netz ist.',
    waiting: 'Noch ist kein Gerät gekoppelt.',
    waitingRolling:
      'Noch zeigt kein Gerät diesen Code. Bitte ein Display koppeln oder eine der Adressen eintragen.',
  },
  pair: 'Gerät koppeln',
  pairOther: 'Anderes Gerät koppeln',
  pairTitle: (name: string) => `${name}: Gerät koppeln`,
  pairCode: 'Kopplungscode',
  pairQr: 'QR-Code, der die Seite zum Koppeln öffnet',
  pairCopy: 'Code kopieren',
  pairScan: 'Mit der Kamera des Geräts scannen',
  pairSteps: [
    'Auf dem Gerät im Browser diese Adresse öffnen:',
    'Den Kopplungscode eingeben und koppeln.',
    'Den Browser auf diese Seite beschränken, damit Gäste nichts anderes öffnen können.',
  ],
  pairWaiting: (time: string) => `Wartet auf das Gerät. Der Code gilt einmal, bis ${time}\u00a0Uhr.`,
  pairReload: 'Neu laden',
  pairDone: (agent: string) => `Gekoppelt: ${agent}.`,
  pairExpired: 'Der Code ist abgelaufen. Bitte einen neuen erzeugen.',
  pairShownBefore: 'Der Code wurde schon angezeigt. Ist er verloren gegangen, einfach einen neuen erzeugen.',
  pairKeeps: 'Das bisher gekoppelte Gerät bleibt verbunden, bis der neue Code benutzt wird.',
  newCode: 'Neuen Code erzeugen',
  toScreen: 'Zum Bildschirm',
  unpair: 'Kopplung aufheben',
  unpairAsk: (name: string) => `Kopplung von ${name} aufheben?`,
  unpairWhat:
    'Das Gerät gibt sofort keine Codes mehr aus und zeigt wieder die Seite zum Koppeln. Einstellungen und Voucher bleiben erhalten.',
  path: 'Adressen für E-Paper und andere Geräte',
  pathShow: 'Adressen anzeigen',
  pathWhat:
    'Unter diesen Adressen steht immer der aktuelle Code, in vier Formaten. Sie sind geheim: Wer sie kennt, bekommt Codes.',
  pathPlain:
    'Die Adressen beginnen mit http://. Die Codes gehen also unverschlüsselt durchs Netz. Im eigenen Netz ist das oft in Ordnung, über das Internet nicht.',
  pathLost:
    'Die Adressen lassen sich nicht entschlüsseln. Bitte neue erzeugen und auf den Geräten eintragen.',
  formats: {
    json: 'Für Home Assistant und eigene Programme',
    svg: 'Bild für Displays mit Browser',
    png: 'Bild in Schwarz-Weiß für E-Paper; ?w=800&h=480 gibt die Größe an',
    txt: 'Nur der Code als Text',
  },
  copy: 'Adresse kopieren',
  done: 'Fertig',
  renew: 'Neue Adressen erzeugen',
  renewAsk: (name: string) => `Neue Adressen für ${name} erzeugen?`,
  renewWhat:
    'Die bisherigen Adressen gelten dann sofort nicht mehr. Geräte zeigen erst wieder einen Code, wenn dort die neue Adresse eingetragen ist. Gekoppelte Displays sind nicht betroffen.',
  terms: 'Nutzungsbedingungen',
  termsShort: 'Bedingungen',
  termsOf: (name: string) => `${name}: Nutzungsbedingungen`,
  termsText: 'Text',
  termsHint: (max: string) =>
    `Gäste müssen zustimmen, bevor sie einen Code bekommen. Höchstens ${max} Zeichen; leer heißt: keine Zustimmung nötig.`,
  termsWhat:
    'Jede Änderung wird eine neue Version. Zu jedem Voucher bleibt gespeichert, welcher Version der Gast wann zugestimmt hat.',
  termsTooLong: (max: string) => `Bitte höchstens ${max} Zeichen.`,
  termsNotPlain: 'Der Text enthält unsichtbare Zeichen. Bitte eintippen statt einfügen.',
  termsNone: 'keine',
  termsChange: 'Bearbeiten',
  termsVersions: 'Versionen',
  termsVersion: (version: number) => `Version ${version}`,
  termsSince: (version: number, time: string) => `Version ${version} seit ${time}\u00a0Uhr`,
  termsFrom: (version: number, time: string) => `Version ${version} vom ${time}\u00a0Uhr`,
  termsCurrent: 'gilt jetzt',
  termsHash: 'SHA-256',
  termsRead: 'Text lesen',
  picture: 'Bild für Kioske',
  pictureChange: 'Ansehen oder ändern',
  pictureOf: (site: string) => `${site}: Bild für Kioske`,
  pictureWhat: 'Alle Kioske des Standorts zeigen dieses Bild, zum Beispiel die Fassade oder die Lobby.',
  pictureNone: 'Noch kein Bild. Kioske zeigen dann nur Logo und Farbe des Standorts.',
  picturePresent: 'Aktuelles Bild',
  pictureHint:
    'JPEG oder PNG, höchstens 256 kB, 16 bis 2000 Pixel je Seite; gut sind 1600 × 900. Metadaten wie der Aufnahmeort werden entfernt.',
  pictureUpload: 'Bild hochladen',
  pictureRemove: 'Bild entfernen',
  pictureBack: 'Zu den Bildschirmen',
  remove: 'Entfernen',
  removeAsk: (name: string) => `Bildschirm ${name} entfernen?`,
  removeWhat:
    'Das Gerät gibt sofort keine Codes mehr aus. Ausgegebene Voucher bleiben gültig; vorbereitete werden auf der Konsole gelöscht.',
  look: 'Bildschirm ansehen',
  named: (name: string) => `Bildschirm ${name}`,
  several: (count: number) => (count === 1 ? '1 Bildschirm' : `${count} Bildschirme`),
  silent: (who: string) => `${who}: keine Verbindung mehr`,
  silentAdvice: 'Bitte prüfen, ob das Gerät eingeschaltet und im Netz ist und die Seite /screen zeigt.',
};

export type ScreensMessages = typeof screensDe;
