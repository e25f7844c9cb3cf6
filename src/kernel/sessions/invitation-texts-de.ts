// German messages for the links with which users set their password.

export const invitationDe = {
  title: 'Passwort festlegen',
  intro: (name: string) => `Hallo ${name}, bitte ein Passwort für die Anmeldung wählen.`,
  replaces: (other: string) =>
    `In diesem Browser ist ${other} angemeldet. Mit dem Speichern endet diese Sitzung.`,
  account: 'E-Mail für die Anmeldung',
  button: 'Speichern und anmelden',
  done: 'Das Passwort ist gespeichert',
  doneWhat: 'Der Link gilt jetzt nicht mehr. Weiter geht es mit der Anmeldung.',
  login: 'Zur Anmeldung',
  void: 'Dieser Link gilt nicht mehr',
  voidWhat:
    'Er wurde schon benutzt, durch einen neueren ersetzt oder ist abgelaufen. Einen neuen Link erstellt die Verwaltung.',
  voidOrAsk:
    'Er wurde schon benutzt, durch einen neueren ersetzt oder ist abgelaufen. Für ein neues Passwort lässt sich ein neuer Link anfordern; eine Einladung erneuert die Verwaltung.',

  onlyHere: 'Diese Adresse funktioniert nur auf diesem Rechner.',
  setAddress: 'Öffentliche Adresse festlegen',
  users: {
    hint: 'Als Nächstes erscheint ein Link zum Weitergeben. Damit wählt der Benutzer sein Passwort selbst.',
    invite: 'Einladen',
    mailInvitation: 'Einladung per E-Mail senden',
    mailLink: 'Link per E-Mail senden',
    mailed: (email: string) =>
      `Die E-Mail mit dem Link an ${email} ist unterwegs. Sie können den Link auch selbst weitergeben.`,
    invited: (name: string) => `${name} ist eingeladen`,
    linkMade: (name: string) => `Link für ${name}`,
    passOn: (email: string) =>
      `Diesen Link an ${email} weitergeben, zum Beispiel per E-Mail. Damit wählt der Benutzer sein Passwort selbst.`,
    until: (time: string) =>
      `Der Link gilt nur einmal, bis ${time}\u00a0Uhr. Er wird nur jetzt angezeigt. Ein neuer Link ersetzt ihn.`,
    copy: 'Link kopieren',
    qr: 'QR-Code des Links',
    scan: 'Oder mit der Kamera des Handys scannen',
    back: 'Zu den Benutzern',
    isInvited: 'eingeladen',
    validUntil: (time: string) => `Link gültig bis ${time}\u00a0Uhr`,
    expired: 'Link abgelaufen',
    resetUntil: (time: string) => `Link für neues Passwort gültig bis ${time}\u00a0Uhr`,
    make: 'Link für neues Passwort',
    again: 'Neuer Einladungslink',
    ask: (name: string) => `Link für ${name} erstellen?`,
    what: 'Mit dem Link wählt der Benutzer selbst ein neues Passwort. Bis dahin gilt das bisherige; danach enden alle seine Sitzungen. Ein früherer Link gilt nicht mehr.',
    confirm: 'Link erstellen',
    isOff: 'Das Konto ist deaktiviert. Bitte zuerst wieder aktivieren.',
  },
};

export type InvitationMessages = typeof invitationDe;
