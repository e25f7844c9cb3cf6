// German messages for the account page.

export const accountDe = {
  account: {
    title: 'Mein Konto',
    password: 'Passwort ändern',
    current: 'Bisheriges Passwort',
    next: 'Neues Passwort',
    nextHint: (least: number) => `Mindestens ${least} Zeichen`,
    change: 'Passwort ändern',
    changed: 'Das Passwort ist geändert. Alle anderen Anmeldungen sind beendet.',
    tooShort: (least: number) => `Mindestens ${least} Zeichen.`,
    wrong: 'Das bisherige Passwort stimmt nicht.',
    sessions: 'Angemeldet auf',
    thisOne: 'dieses Gerät',
    since: 'seit',
    seen: 'zuletzt',
    end: 'Beenden',
    language: 'Sprache',
  },
};

export type AccountMessages = typeof accountDe;
