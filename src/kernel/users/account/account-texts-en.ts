// English messages for the account page.

import type { AccountMessages } from './account-texts-de.ts';

export const accountEn: AccountMessages = {
  account: {
    title: 'My account',
    password: 'Change password',
    current: 'Current password',
    next: 'New password',
    nextHint: (least) => `At least ${least} characters. Good and easy to remember: four unrelated words.`,
    change: 'Change password',
    passwordIssues: {
      'too-short': (least) => `The password needs at least ${least} characters.`,
      common: () => 'Attackers try passwords like this first. Better: four unrelated words.',
      'own-words': () =>
        'This password can be guessed from the name, the e-mail address or the title of this page. Better: four unrelated words.',
    },
    wrong: 'The current password is wrong.',
    sessions: 'Active sessions',
    thisOne: 'this device',
    since: 'since',
    seen: 'last active',
    end: 'End',
    endOthers: 'End all other sessions',
    endAll: 'End all sessions',
    noSessions: 'Not signed in anywhere at the moment.',
    stays: 'stays signed in',
    language: 'Language',
  },
  theme: {
    title: 'Appearance',
    hint: 'On this device only. Auto follows the device.',
    names: { system: 'Auto', light: 'Light', dark: 'Dark' },
  },
};
