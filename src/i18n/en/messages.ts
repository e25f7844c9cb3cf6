// English messages of the web interface.

import type { Messages } from '../de/messages.ts';
import { guestEn } from './guest/guest.ts';
import { accountEn } from './staff/account.ts';
import { adminEn } from './staff/admin.ts';
import { apiDocsEn } from './staff/api-docs.ts';
import { batchesEn } from './staff/batches.ts';
import { bulkRevocationEn } from './staff/bulk-revocation.ts';
import { environmentEn } from './staff/environment.ts';
import { failuresEn } from './staff/failures.ts';
import { firstStepsEn } from './staff/first-steps.ts';
import { guestLinkEn } from './staff/guest-link.ts';
import { healthEn } from './staff/health.ts';
import { invitationEn } from './staff/invitation.ts';
import { loginEn } from './staff/login.ts';
import { lostVouchersEn } from './staff/lost-vouchers.ts';
import { mailServerEn } from './staff/mail-server.ts';
import { mailsEn } from './staff/mails.ts';
import { noticesEn } from './staff/notices.ts';
import { overviewEn } from './staff/overview.ts';
import { pairingEn } from './staff/pairing.ts';
import { printJobsEn } from './staff/print-jobs.ts';
import { printersEn } from './staff/printers.ts';
import { profilesEn } from './staff/profiles.ts';
import { requestsEn } from './staff/requests.ts';
import { reserveEn } from './staff/reserve.ts';
import { revokeEn } from './staff/revoke.ts';
import { screensEn } from './staff/screens.ts';
import { secondFactorEn } from './staff/second-factor.ts';
import { logoEn, settingsEn } from './staff/settings.ts';
import { setupEn } from './staff/setup.ts';
import { singleSignOnEn } from './staff/single-sign-on.ts';
import { slipEn } from './staff/slip.ts';
import { vouchersEn } from './staff/vouchers.ts';

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
  apiDocs: apiDocsEn,
  batches: batchesEn,
  requests: requestsEn,
  reserve: reserveEn,
  revoke: revokeEn,
  failures: failuresEn,
  bulkRevocation: bulkRevocationEn,
  guestLink: guestLinkEn,
  lostVouchers: lostVouchersEn,
  mails: mailsEn,
  printJobs: printJobsEn,
  secondFactor: secondFactorEn,
  setup: setupEn,
  singleSignOn: singleSignOnEn,
  mailServer: mailServerEn,
  slip: slipEn,
  settings: settingsEn,
  logo: logoEn,
  overview: overviewEn,
  health: healthEn,
  environment: environmentEn,
  firstSteps: firstStepsEn,
  pairing: pairingEn,
  printers: printersEn,
  profiles: profilesEn,
  screens: screensEn,
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
