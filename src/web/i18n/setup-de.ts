// German messages for the initial setup.

export const setupDe = {
  title: 'Gastpass einrichten',
  intro: 'Der erste Administrator richtet danach alles Weitere ein.',
  token: 'Token',
  tokenHint: 'Der Dienst gibt es bei jedem Start aus',
  name: 'Name',
  button: 'Administrator anlegen',
  wrongToken: 'Das Token stimmt nicht. Nach jedem Start gibt es ein neues.',
  emailInvalid: 'Bitte eine E-Mail-Adresse eintragen.',
};

export type SetupMessages = typeof setupDe;
