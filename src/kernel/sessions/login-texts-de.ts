// German messages for the login page.

export const loginDe = {
  login: {
    title: 'Anmelden',
    email: 'E-Mail',
    password: 'Passwort',
    button: 'Anmelden',
    stay: 'Angemeldet bleiben',
    stayHint: '30 Tage auf diesem Gerät. Nicht auf fremden oder gemeinsam genutzten Geräten.',
    ended: 'Die Sitzung ist beendet. Bitte neu anmelden.',
    endedKept:
      'Die Sitzung ist beendet, es wurde noch nichts gespeichert. Bitte neu anmelden; die Eingaben bleiben erhalten.',
    wrong:
      'E-Mail oder Passwort stimmt nicht. Wer es vergessen hat, bekommt von der Verwaltung einen Link für ein neues Passwort.',
    wait: (time: string) => `Zu viele Versuche. Bitte in ${time} noch einmal versuchen.`,
    unknownDevice:
      'Für dieses Konto gab es sehr viele Fehlversuche. Bitte ein Gerät benutzen, auf dem die Anmeldung schon einmal geklappt hat, oder die Verwaltung informieren.',
    busy: 'Es melden sich gerade sehr viele Benutzer an. Bitte gleich noch einmal versuchen.',
    proxyUserUnknown:
      'Der Proxy nennt ein Konto, das es hier nicht gibt oder das deaktiviert ist. Bitte die Verwaltung informieren.',
    proxyHeaderWrong: 'Der Proxy nennt kein eindeutiges Konto. Bitte die Verwaltung informieren.',
    plainHttp:
      'Diese Verbindung ist nicht verschlüsselt. Nur im eigenen Netz benutzen oder HTTPS einrichten.',
    forgotten: {
      link: 'Passwort vergessen?',
      title: 'Passwort vergessen',
      intro:
        'Wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort wählen. Bis dahin gilt das bisherige.',
      button: 'Link anfordern',
      sent: 'Bitte ins Postfach schauen',
      sentWhat: (duration: string) =>
        `Gibt es ein Konto mit dieser Adresse, kommt gleich eine E-Mail mit einem Link. Er gilt ${duration}.`,
      noMail:
        'Keine E-Mail? Bitte auch im Spam-Ordner nachsehen und die Adresse prüfen. Sonst hilft die Verwaltung.',
    },
  },
  draft: {
    title: 'Wieder angemeldet',
    what: 'Das Formular von vorhin ist noch da. Es wurde noch nicht abgesendet.',
    entered: 'Das wird abgesendet',
    action: 'Formular',
    others: 'Weitere Angaben',
    send: 'Jetzt absenden',
    discard: 'Verwerfen',
  },
};

export type LoginMessages = typeof loginDe;
