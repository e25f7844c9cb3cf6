// German messages for users.

export const usersDe = {
  title: 'Benutzer',
  intro:
    'Wer sich hier anmelden darf. Die Bedienung sieht nur zugeordnete Standorte, Administratoren sehen alles.',
  add: 'Benutzer hinzufügen',
  name: 'Name',
  nameHint: 'Steht bei den Vouchern und im Protokoll',
  email: 'E-Mail',
  emailWrong: 'Das ist keine E-Mail-Adresse.',
  emailTaken: 'Diese Adresse hat schon jemand.',
  role: 'Rolle',
  admin: 'Administrator',
  operator: 'Bedienung',
  sites: 'Standorte',
  sitesHint: 'Mindestens einer. Andere Standorte sind für diesen Benutzer nicht sichtbar.',
  sitesMissing: 'Bitte mindestens einen Standort auswählen, sonst kann dieser Benutzer nichts tun.',
  allSites: 'alle',
  noSites: 'noch keiner',
  noSitesYet: 'Es gibt noch keinen Standort. Zuerst einen einrichten oder die Rolle „Administrator“ wählen.',
  siteOff: (name: string) => `${name} (ausgeschaltet)`,
  state: 'Zustand',
  active: 'aktiv',
  off: 'deaktiviert',
  you: 'das eigene Konto',
  change: 'Ändern',
  changeHidden: (name: string) => `${name} ändern`,
  ownRole:
    'Die eigene Rolle kann nur ein anderer Administrator ändern. Das eigene Passwort steht unter „Mein Konto“.',
  access: 'Zugang',
  switchOff: 'Deaktivieren',
  switchOn: 'Wieder aktivieren',
  offAsk: (name: string) => `Konto von ${name} deaktivieren?`,
  offWhat:
    'Der Benutzer wird überall abgemeldet und kann sich nicht mehr anmelden. Seine Voucher bleiben. Das Konto lässt sich jederzeit wieder aktivieren.',
  lastAdmin: 'Das geht nicht: Es muss mindestens einen Administrator geben.',
  notYourself: 'Das geht nicht mit dem eigenen Konto. Ein anderer Administrator kann es tun.',
};

export type UserMessages = typeof usersDe;
