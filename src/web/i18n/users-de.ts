// German messages for users.

export const usersDe = {
  title: 'Benutzer',
  intro: 'Wer sich hier anmelden darf. Bedienende sehen nur ihre Standorte, Verwaltende alles.',
  add: 'Benutzer hinzufügen',
  name: 'Name',
  nameHint: 'Steht bei den Vouchern und im Protokoll',
  email: 'E-Mail',
  emailWrong: 'Das ist keine E-Mail-Adresse.',
  emailTaken: 'Diese Adresse hat schon jemand.',
  role: 'Rolle',
  admin: 'Verwaltung',
  operator: 'Bedienung',
  sites: 'Standorte',
  sitesHint: 'Nur für die Bedienung; die Verwaltung sieht immer alle.',
  allSites: 'alle',
  noSites: 'noch keiner',
  noSitesYet: 'Es gibt noch keine Standorte.',
  siteOff: (name: string) => `${name} (ausgeschaltet)`,
  password: 'Passwort',
  passwordHint: (least: number) =>
    `Leer lassen: dann wird eines erzeugt und einmal gezeigt. Sonst mindestens ${least} Zeichen.`,
  state: 'Zustand',
  active: 'aktiv',
  off: 'ausgeschaltet',
  you: 'das eigene Konto',
  change: 'Ändern',
  changeHidden: (name: string) => `${name} ändern`,
  ownRole:
    'Die eigene Rolle ändert jemand anderes aus der Verwaltung. Das eigene Passwort steht unter „Mein Konto“.',
  access: 'Zugang',
  newPassword: 'Neues Passwort erzeugen',
  newPasswordAsk: (name: string) => `Neues Passwort für ${name} erzeugen?`,
  newPasswordWhat: 'Das bisherige Passwort gilt dann nicht mehr, und alle Anmeldungen dieser Person enden.',
  made: (name: string) => `${name} kann sich jetzt anmelden`,
  passwordMade: (name: string) => `Neues Passwort für ${name}`,
  passwordFor: (email: string) => `Das Passwort zu ${email}:`,
  switchOff: 'Ausschalten',
  switchOn: 'Wieder einschalten',
  offAsk: (name: string) => `${name} ausschalten?`,
  offWhat:
    'Die Person wird überall abgemeldet und kommt nicht mehr herein. Ihre Voucher bleiben. Sie lässt sich jederzeit wieder einschalten.',
  lastAdmin: 'Das geht nicht: Sonst könnte niemand mehr verwalten.',
  notYourself: 'Das geht nicht mit dem eigenen Konto. Jemand anderes aus der Verwaltung kann es tun.',
};

export type UserMessages = typeof usersDe;
