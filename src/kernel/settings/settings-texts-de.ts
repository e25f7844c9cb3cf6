// German messages for the settings page, retention and logos.

export const settingsDe = {
  title: 'Einstellungen',
  look: 'Erscheinungsbild',
  name: 'Titel',
  nameHint: 'Steht oben in der Navigation, auf der Anmeldeseite und im Titel jeder Seite.',
  nameIssues: {
    missing: 'Bitte einen Titel eintragen.',
    'too-long': 'Höchstens 40 Zeichen.',
    'not-plain': 'Der Titel enthält unsichtbare Zeichen.',
  },
  language: 'Sprache',
  languageHint:
    'Für alle, die keine eigene gewählt haben, und für Zettel. Ist hier die Sprache des Browsers gewählt, sind Zettel deutsch.',
  languages: { browser: 'Sprache des Browsers', de: 'Deutsch', en: 'English' },
  apiPage: 'API-Dokumentation',
  apiPageHint: 'Beschreibt die API für andere Programme. Sie enthält keine Schlüssel.',
  apiPages: { open: 'Für alle sichtbar', closed: 'Nur nach der Anmeldung' },
  helper: 'Wer hilft',
  helperIntro:
    'Wenn sich ein Voucher nicht erstellen oder widerrufen lässt, steht dieser Kontakt in der Meldung. Beide Angaben sind freiwillig.',
  helperName: 'Name',
  helperPhone: 'Telefon',
  helperIssues: { 'too-long': 'Höchstens 60 Zeichen.', 'not-plain': 'Enthält unsichtbare Zeichen.' },
  saveHelper: 'Kontakt speichern',
  publicUrl: {
    title: 'Öffentliche Adresse',
    intro:
      'Die Adresse, unter der alle Gastpass im Browser öffnen. Links zum Weitergeben beginnen damit, und Seiten unter einem anderen Namen leiten dorthin weiter.',
    label: 'Adresse',
    hint: 'Zum Beispiel https://wlan.example.org. Leer lassen, wenn es keine gibt.',
    openHere: 'Unter dieser Adresse ist diese Seite gerade geöffnet.',
    issues: {
      wrong: 'Bitte eine Adresse wie https://wlan.example.org eintragen.',
      'only-here':
        'Diese Adresse funktioniert nur auf dem Server selbst. Bitte die Adresse eintragen, unter der andere ihn erreichen.',
    },
    save: 'Adresse speichern',
    fromEnvironment: (url: string) =>
      `Die Adresse ${url} ist in der Umgebung des Dienstes festgelegt. Sie hat Vorrang und lässt sich hier nicht ändern.`,
    openThere: 'Dort öffnen und bestätigen',
    openWhat: (url: string) =>
      `Noch ist nichts gespeichert. Eine Adresse gilt erst, wenn sich Gastpass im Browser darunter öffnen lässt. Bitte ${url} öffnen, dort anmelden und die Adresse speichern.`,
    open: (url: string) => `${url} öffnen`,
    notThere:
      'Öffnet sich die Seite nicht, ist die Adresse noch nicht eingerichtet: Der Name muss zum Server oder zu seinem Proxy führen.',
    plainTitle: 'Die Anfrage kommt unverschlüsselt an',
    plain: (seen: string) =>
      `Diese Seite wurde ohne HTTPS geöffnet. Bitte stattdessen ${seen} speichern. Steht ein Proxy mit HTTPS davor, muss er in TRUSTED_PROXIES stehen und X-Forwarded-Proto senden.`,
    plainProxy: (ip: string) =>
      `Beim Dienst kommt die Anfrage unverschlüsselt an, von ${ip}. Nur wenn das Ihr Proxy ist, sollte der Dienst ihm vertrauen:`,
    back: 'Zu den Einstellungen',
  },
  retention: 'Aufbewahrung',
  retentionIntro:
    'Was älter ist, wird stündlich gelöscht. Bei Vouchern zählt die Zeit ab ihrem Ende; gültige Voucher werden nie gelöscht.',
  vouchers: 'Abgelaufene Voucher',
  audit: 'Protokoll',
  keep: { ever: 'Unbegrenzt', 30: '30 Tage', 90: '90 Tage', 180: '180 Tage', 365: '1 Jahr', 730: '2 Jahre' },
  own: 'Eigener Wert',
  days: 'Tage',
  daysIssue: (fewest: number, most: string) => `Eine ganze Zahl von ${fewest} bis ${most}.`,
  limit: 'Tagesgrenze',
  limitHint: 'Schützt davor, dass eine falsche Uhr oder Einstellung alles auf einmal löscht.',
  limits: {
    daily: 'Am Tag höchstens 5 % oder 1.000 Einträge löschen, je nachdem, was mehr ist',
    none: 'Ohne Grenze löschen',
  },
  paced: 'Am Tag werden höchstens 5 % oder 1.000 Einträge gelöscht, je nachdem, was mehr ist.',
  atOnce: 'Alles wird innerhalb der nächsten Stunde gelöscht.',
  preview: 'Zeigen, was gelöscht würde',
  ask: 'Aufbewahrung ändern?',
  kept: (vouchers: string, audit: string) => `Abgelaufene Voucher: ${vouchers}. Protokoll: ${audit}.`,
  keptEver: 'unbegrenzt',
  keptDays: (days: string) => `${days} Tage`,
  nothing: 'Zurzeit würde nichts gelöscht.',
  goes: 'Gelöscht würden jetzt',
  count: 'Anzahl',
  oldest: 'Ältester',
  newest: 'Neuester',
  forGood: 'Das lässt sich nicht rückgängig machen.',
  saveRetention: 'Aufbewahrung speichern',
  privacy: 'Datenschutz',
  savePrivacy: 'Datenschutz speichern',
  names: 'Namen in der Weboberfläche',
  namesHint: 'Ohne Namen heißt jeder neue Voucher „Gast“. Für die API gilt die Einstellung nicht.',
  namesChoices: { ask: 'Beim Erstellen eingeben', none: 'Ohne Namen erstellen' },
  ips: 'IP-Adressen im Protokoll',
  ipsHint: 'Beim Kürzen bleibt nur das Netz erhalten, zum Beispiel 203.0.113.0/24.',
  ipsChoices: { whole: 'Vollständig behalten', short: 'Nach 7 Tagen kürzen' },
};

export const logoDe = {
  title: 'Logo',
  present: 'Aktuelles Logo',
  none: 'Noch kein Logo.',
  choose: 'Bild wählen',
  hint: 'PNG oder JPEG, höchstens 256 kB, 16 bis 2000 Pixel je Seite. Zusatzangaben wie der Aufnahmeort eines Fotos werden entfernt.',
  upload: 'Logo hochladen',
  working: 'Wird hochgeladen …',
  remove: 'Logo entfernen',
  issues: {
    empty: 'Bitte ein Bild wählen.',
    'too-heavy': 'Das Bild ist zu groß: höchstens 256 kB.',
    'other-kind':
      'Das ist kein PNG und kein JPEG. Andere Formate, auch SVG und GIF, werden nicht angenommen.',
    broken: 'Das Bild ist beschädigt. Bitte in einem Bildprogramm neu speichern.',
    'more-after':
      'Die Datei enthält hinter dem Bild noch andere Daten. Bitte in einem Bildprogramm neu speichern.',
    'wrong-size': 'Jede Seite muss 16 bis 2000 Pixel lang sein.',
  },
};

export type SettingsMessages = typeof settingsDe;
export type LogoMessages = typeof logoDe;
