// German texts of the mails to users.

export const accountMailDe = {
  hello: 'Guten Tag,',
  sentBy: (title: string) => `Diese E-Mail wurde automatisch von ${title} versendet.`,
  until: (time: string) =>
    `Der Link gilt nur einmal und bis ${time}\u00a0Uhr. Bitte nicht weitergeben: Wer ihn hat, kann das Passwort festlegen.`,
  links: {
    invitation: {
      subject: (title: string) => `Einladung zu ${title}`,
      what: (title: string) =>
        `für Sie wurde ein Konto bei ${title} angelegt. Bitte wählen Sie ein Passwort.`,
      button: 'Passwort wählen',
      notYou: 'Sie erwarten keine Einladung? Dann müssen Sie nichts tun.',
    },
    'password-reset': {
      subject: (title: string) => `Neues Passwort für ${title}`,
      what: (title: string) =>
        `mit diesem Link wählen Sie ein neues Passwort für Ihr Konto bei ${title}. Alle anderen Sitzungen enden dann.`,
      button: 'Neues Passwort wählen',
      notYou:
        'Sie haben keinen Link angefordert? Dann müssen Sie nichts tun: Ihr bisheriges Passwort gilt weiter.',
    },
  },
  changes: {
    password: {
      title: 'Ihr Passwort wurde geändert',
      what: (title: string, time: string) =>
        `das Passwort Ihres Kontos bei ${title} wurde am ${time}\u00a0Uhr geändert.`,
    },
    'second-factor-on': {
      title: 'Zwei-Faktor-Anmeldung eingeschaltet',
      what: (title: string, time: string) =>
        `für Ihr Konto bei ${title} wurde am ${time}\u00a0Uhr die Zwei-Faktor-Anmeldung eingeschaltet.`,
    },
    'second-factor-off': {
      title: 'Zwei-Faktor-Anmeldung ausgeschaltet',
      what: (title: string, time: string) =>
        `für Ihr Konto bei ${title} wurde am ${time}\u00a0Uhr die Zwei-Faktor-Anmeldung ausgeschaltet. Zur Anmeldung genügt jetzt das Passwort.`,
    },
    'recovery-codes': {
      title: 'Neue Ersatzcodes',
      what: (title: string, time: string) =>
        `für Ihr Konto bei ${title} wurden am ${time}\u00a0Uhr neue Ersatzcodes erstellt. Die bisherigen gelten nicht mehr.`,
    },
    email: {
      title: 'Ihre E-Mail-Adresse wurde geändert',
      what: (title: string, time: string) =>
        `die E-Mail-Adresse Ihres Kontos bei ${title} wurde am ${time}\u00a0Uhr geändert. Mit dieser Adresse ist keine Anmeldung mehr möglich.`,
    },
  },
  notYou: 'Waren Sie das nicht? Dann sagen Sie bitte gleich der Verwaltung Bescheid.',
  backup: {
    title: 'Sicherung fehlgeschlagen',
    what: (title: string, time: string) =>
      `die geplante Sicherung von ${title} ist am ${time}\u00a0Uhr fehlgeschlagen:`,
    next: 'Sie wird alle zehn Minuten erneut versucht. Eine weitere E-Mail kommt erst, wenn eine Sicherung gelungen ist und danach wieder eine fehlschlägt.',
  },
  request: {
    title: 'Neue Anfrage',
    what: (site: string, time: string) =>
      `am ${time}\u00a0Uhr hat ein Gast um einen Voucher für „${site}“ gebeten. Bitte entscheiden Sie in Gastpass unter „Anfragen“.`,
    button: 'Anfragen öffnen',
    next: 'Was der Gast geschrieben hat, steht nur in Gastpass. Bei vielen Anfragen kommt nicht für jede eine E-Mail.',
  },
};

export type AccountMailMessages = typeof accountMailDe;
