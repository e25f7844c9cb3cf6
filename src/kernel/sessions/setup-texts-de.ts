// German messages for the initial setup.

export const setupDe = {
  title: 'Gastpass einrichten',
  intro: 'Dieses erste Konto gehört zur Verwaltung; damit wird alles Weitere eingerichtet.',
  token: 'Token',
  tokenHint: 'Steht in der Ausgabe des Dienstes nach dem letzten Start',
  name: 'Name',
  button: 'Konto anlegen',
  wrongToken: 'Das Token stimmt nicht. Bei jedem Start gibt der Dienst ein neues aus.',
  emailInvalid: 'Bitte eine E-Mail-Adresse eintragen.',
};

export type SetupMessages = typeof setupDe;
