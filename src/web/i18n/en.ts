// English messages of the web interface.

import { accountEn } from './account-en.ts';
import { adminEn } from './admin-en.ts';
import { apiDocsEn } from './api-docs-en.ts';
import type { Messages } from './de.ts';
import { firstStepsEn } from './first-steps-en.ts';
import { invitationEn } from './invitation-en.ts';
import { loginEn } from './login-en.ts';
import { overviewEn } from './overview-en.ts';
import { profilesEn } from './profiles-en.ts';
import { revokeEn } from './revoke-en.ts';
import { secondFactorEn } from './second-factor-en.ts';
import { logoEn, settingsEn } from './settings-en.ts';
import { setupEn } from './setup-en.ts';
import { singleSignOnEn } from './single-sign-on-en.ts';
import { slipEn } from './slip-en.ts';
import { vouchersEn } from './vouchers-en.ts';

export const en: Messages = {
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
    signInAgain: 'Go to the identity provider',
  },
  apiDocs: apiDocsEn,
  revoke: revokeEn,
  secondFactor: secondFactorEn,
  setup: setupEn,
  singleSignOn: singleSignOnEn,
  slip: slipEn,
  settings: settingsEn,
  logo: logoEn,
  overview: overviewEn,
  firstSteps: firstStepsEn,
  profiles: profilesEn,
  language: 'English',
  nav: {
    vouchers: 'Vouchers',
    newVoucher: 'New voucher',
    account: 'My account',
    signOut: 'Sign out',
    skip: 'Skip to content',
    main: 'Main navigation',
    more: 'More',
  },
  problem: {
    notFound: 'This page does not exist.',
    forbidden: 'You are not allowed to do this.',
    back: 'Back',
    sentAlready: 'This form has already been sent. Nothing was created a second time.',
    form: 'This form is out of date. Please reload the page and send it again.',
    method: 'This cannot be done this way.',
    database: 'The database cannot be reached right now. Nothing was lost; please try again in a moment.',
    server: 'Something went wrong. This number helps to find out why:',
    tooLarge: 'That is too large.',
    tooSlow: 'The data arrived too slowly. Nothing was saved; please try again.',
    home: 'Back to the start page',
  },
};
