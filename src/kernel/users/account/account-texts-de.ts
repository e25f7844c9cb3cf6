// German messages for the account page.

import type { PasswordIssue } from '../weak-password.ts';

export const accountDe = {
  account: {
    title: 'Mein Konto',
    password: 'Passwort ändern',
    current: 'Bisheriges Passwort',
    next: 'Neues Passwort',
    nextHint: (least: number) =>
      `Mindestens ${least} Zeichen. Gut und leicht zu merken: vier Wörter, die nichts miteinander zu tun haben.`,
    change: 'Passwort ändern',
    passwordIssues: {
      'too-short': (least: number) => `Das Passwort braucht mindestens ${least} Zeichen.`,
      common: () =>
        'Solche Passwörter probieren Angreifer zuerst. Besser: vier Wörter, die nichts miteinander zu tun haben.',
      'own-words': () =>
        'Dieses Passwort lässt sich aus dem Namen, der E-Mail-Adresse oder dem Titel dieser Seite erraten. Besser: vier Wörter, die nichts miteinander zu tun haben.',
    } satisfies Record<PasswordIssue, (least: number) => string>,
    wrong: 'Das bisherige Passwort stimmt nicht.',
    sessions: 'Aktive Sitzungen',
    thisOne: 'dieses Gerät',
    since: 'seit',
    seen: 'zuletzt aktiv',
    end: 'Beenden',
    endOthers: 'Alle anderen Sitzungen beenden',
    endAll: 'Alle Sitzungen beenden',
    noSessions: 'Zurzeit nirgends angemeldet.',
    stays: 'bleibt angemeldet',
    language: 'Sprache',
  },
  theme: {
    title: 'Darstellung',
    hint: 'Gilt nur auf diesem Gerät. „Auto“ folgt der Einstellung des Geräts.',
    names: { system: 'Auto', light: 'Hell', dark: 'Dunkel' },
  },
};

export type AccountMessages = typeof accountDe;
