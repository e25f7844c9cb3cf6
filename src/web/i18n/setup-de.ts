// German messages for the initial setup.

export const setupDe = {
  title: 'Gastpass einrichten',
  intro: 'Der erste Administrator richtet danach alles Weitere ein.',
  token: 'Token',
  tokenHint: 'Steht in der Ausgabe des Dienstes, seit er zuletzt gestartet ist',
  name: 'Name',
  button: 'Administrator anlegen',
  wrongToken: 'Das Token stimmt nicht. Nach jedem Start gibt es ein neues.',
  emailInvalid: 'Bitte eine E-Mail-Adresse eintragen.',
};

export type SetupMessages = typeof setupDe;
