// German messages for the second factor.

export const secondFactorDe = {
  title: 'Zwei-Faktor-Anmeldung',
  off: 'Ausgeschaltet: Zur Anmeldung genügt das Passwort.',
  begin: 'Zwei-Faktor-Anmeldung einrichten',
  on: 'eingeschaltet',
  since: (time: string) => `Seit ${time}\u00a0Uhr.`,
  codesLeft: (count: number) => (count === 1 ? 'Noch 1 Ersatzcode.' : `Noch ${count} Ersatzcodes.`),
  few: 'Es sind nur noch wenige. Neue Ersatzcodes ersetzen die bisherigen.',
  isRequired: 'Ist für dieses Konto Pflicht und lässt sich nicht ausschalten.',

  setup: {
    title: 'Zwei-Faktor-Anmeldung einrichten',
    intro: 'Zur Anmeldung gehört dann außer dem Passwort ein Code, den eine App auf dem Telefon anzeigt.',
    required: 'Für dieses Konto ist die Zwei-Faktor-Anmeldung Pflicht. Nach dem Einrichten geht es weiter.',
    scan: 'Mit der App scannen',
    scanHint: 'Mit einer Authenticator-App oder einem Passwort-Manager.',
    open: 'Auf diesem Gerät öffnen',
    qr: 'QR-Code für die Authenticator-App',
    type: 'Oder diesen Schlüssel in der App eintippen:',
    confirm: 'Code bestätigen',
    code: 'Code aus der App',
    codeHint: 'Sechs Ziffern',
    button: 'Einschalten',
    wrong: 'Dieser Code passt nicht. Stimmt die Uhrzeit auf dem Telefon?',
  },

  codes: {
    turnedOn: 'Die Zwei-Faktor-Anmeldung ist eingeschaltet',
    made: 'Neue Ersatzcodes',
    what: 'Ist das Telefon nicht zur Hand, genügt bei der Anmeldung ein Ersatzcode. Jeder gilt nur einmal.',
    button: 'Neue Ersatzcodes',
    ask: 'Neue Ersatzcodes erzeugen?',
    askWhat: 'Alle bisherigen gelten dann nicht mehr.',
  },

  switchOff: {
    button: 'Ausschalten',
    ask: 'Zwei-Faktor-Anmeldung ausschalten?',
    what: 'Zur Anmeldung genügt dann wieder das Passwort. Die Ersatzcodes gelten nicht mehr.',
    refused: 'Das geht nicht: Für dieses Konto ist die Zwei-Faktor-Anmeldung Pflicht.',
  },

  login: {
    title: 'Code eingeben',
    code: 'Code',
    codeHint: 'Sechs Ziffern aus der App oder ein Ersatzcode',
    button: 'Anmelden',
    wrong: 'Dieser Code stimmt nicht oder wurde schon benutzt.',
    over: 'Das hat zu lange gedauert, oder es waren zu viele falsche Codes. Bitte noch einmal anmelden.',
    back: 'Zurück zur Anmeldung',
  },

  users: {
    column: 'Zweiter Faktor',
    rule: 'Pflicht für',
    ruleHint: 'Wer noch keinen zweiten Faktor hat, muss ihn erst einrichten und kommt vorher nicht weiter.',
    nobody: 'niemanden',
    admins: 'die Verwaltung',
    everyone: 'alle',
    remove: 'Zweiten Faktor entfernen',
    removeAsk: (name: string) => `Zweiten Faktor von ${name} entfernen?`,
    removeWhat:
      'Für den Fall, dass das Telefon verloren gegangen ist. Zur Anmeldung genügt das Passwort, bis ein neuer zweiter Faktor eingerichtet ist. Laufende Sitzungen bleiben bestehen.',
  },
};

export type SecondFactorMessages = typeof secondFactorDe;
