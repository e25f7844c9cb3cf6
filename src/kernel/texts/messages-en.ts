// English messages of the web interface.

import { batchesEn } from '../batches/batch-texts-en.ts';
import { healthEn } from '../health/health-texts-en.ts';
import { overviewEn } from '../overview/overview-texts-en.ts';
import { profilesEn } from '../profiles/profile-texts-en.ts';
import { invitationEn } from '../sessions/invitation-texts-en.ts';
import { loginEn } from '../sessions/login-texts-en.ts';
import { setupEn } from '../sessions/setup-texts-en.ts';
import { environmentEn } from '../settings/environment-texts-en.ts';
import { firstStepsEn } from '../settings/first-step-texts-en.ts';
import { logoEn, settingsEn } from '../settings/settings-texts-en.ts';
import { slipEn } from '../slips/slip-texts-en.ts';
import { accountEn } from '../users/account/account-texts-en.ts';
import { secondFactorEn } from '../users/second-factor-texts-en.ts';
import { bulkRevocationEn } from '../vouchers/texts/bulk-revocation-texts-en.ts';
import { guestEn } from '../vouchers/texts/guest-texts-en.ts';
import { lostVouchersEn } from '../vouchers/texts/lost-voucher-texts-en.ts';
import { revokeEn } from '../vouchers/texts/revoke-texts-en.ts';
import { vouchersEn } from '../vouchers/texts/voucher-texts-en.ts';
import { adminEn } from './admin-texts-en.ts';
import { failuresEn } from './failure-texts-en.ts';
import type { Messages } from './messages-de.ts';
import { noticesEn } from './notice-texts-en.ts';

export const en: Messages = {
  ...guestEn,
  ...vouchersEn,
  ...loginEn,
  ...accountEn,
  admin: adminEn,
  invitation: invitationEn,
  confirmation: {
    title: 'Confirm your password',
    why: 'Please enter your own password once more before this change. What you have entered is kept.',
    password: 'Your password',
    wrong: 'The password is wrong.',
    button: 'Confirm and continue',
    again: 'Sign in again',
    whyAgain:
      'Please sign in at the identity provider again before this change. The form then opens again; please repeat what you entered.',
    loginAgain: 'Go to the identity provider',
  },
  batches: batchesEn,
  revoke: revokeEn,
  failures: failuresEn,
  bulkRevocation: bulkRevocationEn,
  lostVouchers: lostVouchersEn,
  secondFactor: secondFactorEn,
  setup: setupEn,
  slip: slipEn,
  settings: settingsEn,
  logo: logoEn,
  overview: overviewEn,
  health: healthEn,
  environment: environmentEn,
  firstSteps: firstStepsEn,
  profiles: profilesEn,
  notices: noticesEn,
  language: 'English',
  nav: {
    vouchers: 'Vouchers',
    newVoucher: 'New voucher',
    account: 'My account',
    logout: 'Sign out',
    skip: 'Skip to content',
    main: 'Main navigation',
    more: 'More',
  },
  problem: {
    checkFields: (count) =>
      count === 1 ? 'One entry is missing or wrong:' : `${count} entries are missing or wrong:`,
    inTitle: 'Error: ',
    notFound: 'This page does not exist. Perhaps the entry was deleted, or the address is incomplete.',
    forbidden: 'You are not allowed to do this. An administrator can give you permission.',
    roleNotKnown:
      'This release does not know the role of your account. Please try again later: the installation is being upgraded.',
    back: 'Back',
    sentTitle: 'Already sent',
    sentAlready: 'This form has already been sent. Nothing was created a second time.',
    staleTitle: 'Not sent',
    stale:
      'Somebody has signed in again in this browser since this form was opened. Nothing was saved. Please open the form again and fill it in once more.',
    staleKept: (name) =>
      `Somebody has signed in again in this browser since this form was opened. Nothing was saved, and everything you entered is still here. Signed in now: ${name}.`,
    foreignTitle: 'Not accepted',
    foreign:
      'The form came from another website or was opened at another address. Nothing was saved. Please open the form here again.',
    openAgain: 'Open the form again',
    method: 'This cannot be done this way.',
    database: 'The database cannot be reached right now. Nothing was lost; please try again in a moment.',
    server:
      'Something went wrong. Please try again. If that does not help, give this number to an administrator:',
    tooLarge: 'That is too large.',
    unstorable:
      'The text contains a character that cannot be stored. Nothing was saved; please type the text instead of pasting it.',
    tooSlow: 'The data arrived too slowly. Nothing was saved; please try again.',
    home: 'Back to the start page',
  },
};
