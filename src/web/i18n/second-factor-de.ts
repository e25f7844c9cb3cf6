// German messages for the second factor.

export const secondFactorDe = {
  title: 'Zweiter Faktor',
  off: 'Ausgeschaltet: Zur Anmeldung genügt das Passwort.',
  begin: 'Zweiten Faktor einrichten',
  on: 'eingeschaltet',
  since: (time: string) => `Seit ${time}.`,
  codesLeft: (count: number) => (count === 1 ? 'Noch 1 Ersatzcode.' : `Noch ${count} Ersatzcodes.`),
  few: 'Nur noch wenige. Neue Ersatzcodes ersetzen die bisherigen.',
  isRequired: 'Wird hier verlangt und lässt sich nicht ausschalten.',

  setUp: {
    title: 'Zweiten Faktor einrichten',
    intro: 'Die Anmeldung braucht dann außer dem Passwort einen Code, den eine App auf dem Telefon anzeigt.',
    required: 'Für dieses Konto wird ein zweiter Faktor verlangt. Danach geht es weiter.',
    scan: 'Mit der App scannen',
    scanHint: 'Mit einer Authenticator-App oder einem Passwort-Manager.',
    open: 'Auf diesem Gerät öffnen',
    qr: 'QR-Code für die Authenticator-App',
    type: 'Oder diesen Schlüssel in der App eintippen:',
    confirm: 'Code bestätigen',
    code: 'Code aus der App',
    codeHint: 'Sechs Ziffern',
    button: 'Einschalten',
    wrong: 'Dieser Code passt nicht. Stimmt die Uhrzeit des Telefons?',
  },

  codes: {
    turnedOn: 'Der zweite Faktor ist eingeschaltet',
    made: 'Neue Ersatzcodes',
    what: 'Ohne Telefon gelingt die Anmeldung mit einem Ersatzcode. Jeder gilt einmal.',
    button: 'Neue Ersatzcodes',
    ask: 'Neue Ersatzcodes erzeugen?',
    askWhat: 'Alle bisherigen gelten dann nicht mehr.',
  },

  switchOff: {
    button: 'Ausschalten',
    ask: 'Zweiten Faktor ausschalten?',
    what: 'Zur Anmeldung genügt dann wieder das Passwort. Die Ersatzcodes gelten nicht mehr.',
    refused: 'Das geht nicht: Für dieses Konto wird ein zweiter Faktor verlangt.',
  },

  signIn: {
    title: 'Code eingeben',
    code: 'Code',
    codeHint: 'Sechs Ziffern aus der App, oder ein Ersatzcode',
    button: 'Anmelden',
    wrong: 'Dieser Code stimmt nicht, oder er wurde schon benutzt.',
    over: 'Das hat zu lange gedauert, oder es waren zu viele falsche Codes. Bitte noch einmal anmelden.',
    back: 'Zurück zur Anmeldung',
  },

  users: {
    column: 'Zweiter Faktor',
    rule: 'Verlangt von',
    ruleHint: 'Wer noch keinen hat, richtet ihn als Nächstes ein und kommt vorher nicht weiter.',
    nobody: 'niemandem',
    admins: 'der Verwaltung',
    everyone: 'allen',
    remove: 'Zweiten Faktor entfernen',
    removeAsk: (name: string) => `Zweiten Faktor von ${name} entfernen?`,
    removeWhat:
      'Hilft, wenn das Telefon verloren ist. Zur Anmeldung genügt dann das Passwort, bis ein neuer eingerichtet ist. Laufende Anmeldungen bleiben.',
  },
};

export type SecondFactorMessages = typeof secondFactorDe;
