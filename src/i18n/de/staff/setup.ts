// German messages for the initial setup.

export const setupDe = {
  title: 'Gastpass einrichten',
  intro: 'Der erste Administrator richtet danach alles Weitere ein.',
  token: 'Token',
  tokenHint: 'Steht in der Ausgabe des Dienstes nach dem letzten Start',
  name: 'Name',
  button: 'Administrator anlegen',
  wrongToken: 'Das Token stimmt nicht. Bei jedem Start gibt der Dienst ein neues aus.',
  emailInvalid: 'Bitte eine E-Mail-Adresse eintragen.',
};

export type SetupMessages = typeof setupDe;
