// German messages for the login page.

export const loginDe = {
  signIn: {
    title: 'Anmelden',
    email: 'E-Mail',
    password: 'Passwort',
    button: 'Anmelden',
    stay: 'Angemeldet bleiben',
    stayHint: '30 Tage auf diesem Gerät. Nicht an fremden oder gemeinsam benutzten Geräten.',
    ended: 'Die Sitzung ist beendet. Bitte neu anmelden.',
    endedKept:
      'Die Sitzung ist beendet, es wurde noch nichts gespeichert. Bitte neu anmelden; was eingetippt war, bleibt erhalten.',
    wrong: 'E-Mail oder Passwort stimmt nicht.',
    wait: (seconds: number) => `Zu viele Versuche. Bitte in ${seconds} s erneut versuchen.`,
    unknownDevice:
      'Für dieses Konto gab es sehr viele falsche Anmeldungen. Bitte ein Gerät benutzen, auf dem die Anmeldung schon einmal geklappt hat, oder einen Administrator fragen.',
    busy: 'Es melden sich gerade sehr viele Benutzer an. Bitte gleich erneut versuchen.',
    proxyUserUnknown:
      'Der Proxy nennt ein Konto, das es hier nicht gibt oder das deaktiviert ist. Bitte die Verwaltung informieren.',
    proxyHeaderWrong: 'Der Proxy nennt kein eindeutiges Konto. Bitte die Verwaltung informieren.',
    plainHttp:
      'Diese Verbindung ist nicht verschlüsselt. Nur im eigenen Netz benutzen oder HTTPS einrichten.',
  },
  draft: {
    title: 'Wieder angemeldet',
    what: 'Das Formular von vorhin ist noch da. Es wurde noch nicht abgesendet.',
    entered: 'Eingetragen ist:',
    send: 'Jetzt absenden',
    discard: 'Verwerfen',
  },
};

export type LoginMessages = typeof loginDe;
