// English messages for the account page.

import type { AccountMessages } from './account-de.ts';

export const accountEn: AccountMessages = {
  account: {
    title: 'My account',
    password: 'Change password',
    current: 'Current password',
    next: 'New password',
    nextHint: (least) => `At least ${least} characters`,
    change: 'Change password',
    changed: 'The password has been changed. All other sessions have ended.',
    tooShort: (least) => `At least ${least} characters.`,
    wrong: 'The current password is wrong.',
    sessions: 'Signed in on',
    thisOne: 'this device',
    since: 'since',
    seen: 'last seen',
    end: 'End',
    language: 'Language',
  },
};
