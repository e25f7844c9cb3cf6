// German messages for users.

export const usersDe = {
  title: 'Benutzer',
  intro:
    'Wer sich hier anmelden darf. Die Rezeption sieht nur zugeordnete Standorte, die Verwaltung sieht alles.',
  add: 'Benutzer hinzufügen',
  name: 'Name',
  nameHint: 'Steht bei den Vouchern und im Protokoll',
  email: 'E-Mail',
  emailWrong: 'Das ist keine E-Mail-Adresse.',
  emailNotPlain:
    'Vor dem @ sind nur a–z, Ziffern und Zeichen wie . - _ + erlaubt; Umlaute nur dahinter und kleingeschrieben.',
  emailTaken: 'Diese Adresse gehört schon zu einem Konto.',
  role: 'Rolle',
  admin: 'Verwaltung',
  operator: 'Rezeption',
  sites: 'Standorte',
  sitesHint: 'Mindestens einer. Andere Standorte sind für diesen Benutzer nicht sichtbar.',
  sitesMissing: 'Bitte mindestens einen Standort auswählen, sonst kann dieser Benutzer nichts tun.',
  allSites: 'alle',
  noSites: 'noch keiner',
  noSitesYet: 'Es gibt noch keinen Standort. Zuerst einen einrichten oder die Rolle „Verwaltung“ wählen.',
  siteOff: (name: string) => `${name} (inaktiv)`,
  state: 'Status',
  active: 'aktiv',
  off: 'deaktiviert',
  you: 'das eigene Konto',
  change: 'Ändern',
  changeHidden: (name: string) => `${name} ändern`,
  ownRole:
    'Die eigene Rolle kann nur jemand anderes aus der Verwaltung ändern. Das eigene Passwort lässt sich unter „Mein Konto“ ändern.',
  access: 'Zugang',
  switchOff: 'Deaktivieren',
  switchOn: 'Wieder aktivieren',
  offAsk: (name: string) => `Konto von ${name} deaktivieren?`,
  offWhat:
    'Der Benutzer wird überall abgemeldet und kann sich nicht mehr anmelden. Seine Voucher gelten weiter. Das Konto lässt sich jederzeit wieder aktivieren.',
  remove: 'Entfernen',
  removeAsk: (name: string) => `${name} entfernen?`,
  removeWhat:
    'Name, E-Mail-Adresse und Zugang werden gelöscht. Die Voucher gelten weiter; statt des Namens steht bei ihnen „Entfernter Benutzer“. Im Protokoll und in den Aufzeichnungen zu Vouchern und Benachrichtigungen bleibt der damalige Name stehen. Das lässt sich nicht rückgängig machen.',
  lastAdmin: 'Das geht nicht: Mindestens ein aktives Konto muss zur Verwaltung gehören.',
  notYourself: 'Beim eigenen Konto geht das nicht; das kann nur jemand anderes aus der Verwaltung.',
};

export type UserMessages = typeof usersDe;
