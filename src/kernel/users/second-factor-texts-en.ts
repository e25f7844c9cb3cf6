// English messages for the second factor.

import type { SecondFactorMessages } from './second-factor-texts-de.ts';

export const secondFactorEn: SecondFactorMessages = {
  title: 'Two-factor sign-in',
  off: 'Switched off: the password is enough to sign in.',
  begin: 'Set up two-factor sign-in',
  on: 'switched on',
  since: (time) => `Since ${time}.`,
  codesLeft: (count) => (count === 1 ? '1 recovery code is left.' : `${count} recovery codes are left.`),
  few: 'Only a few are left. New recovery codes replace the current ones.',
  isRequired: 'It is required for this account and cannot be switched off.',

  setup: {
    title: 'Set up two-factor sign-in',
    intro: 'Signing in then takes your password and a code that an app on your phone shows.',
    required: 'Two-factor sign-in is required for this account. Set it up to continue.',
    scan: 'Scan with the app',
    scanHint: 'With an authenticator app or a password manager.',
    open: 'Open on this device',
    qr: 'QR code for the authenticator app',
    type: 'Or type this key into the app:',
    confirm: 'Confirm the code',
    code: 'Code from the app',
    codeHint: 'Six digits',
    button: 'Switch on',
    wrong: 'This code does not match. Is the phone’s clock right?',
  },

  codes: {
    turnedOn: 'Two-factor sign-in is switched on',
    made: 'New recovery codes',
    what: 'Without your phone, you can sign in with a recovery code. Each code works once.',
    button: 'New recovery codes',
    ask: 'Create new recovery codes?',
    askWhat: 'The current ones will stop working.',
  },

  switchOff: {
    button: 'Switch off',
    ask: 'Switch off two-factor sign-in?',
    what: 'The password is then enough to sign in. The recovery codes stop working.',
    refused: 'This is not possible: two-factor sign-in is required for this account.',
  },

  login: {
    title: 'Enter the code',
    code: 'Code',
    codeHint: 'Six digits from the app, or a recovery code',
    button: 'Sign in',
    wrong: 'This code is wrong or has already been used.',
    over: 'That took too long, or too many codes were wrong. Please sign in again.',
    back: 'Back to signing in',
  },

  users: {
    column: 'Second factor',
    rule: 'Required for',
    ruleHint: 'Users without a second factor have to set one up before they can continue.',
    nobody: 'nobody',
    admins: 'administrators',
    everyone: 'everyone',
    remove: 'Remove second factor',
    removeAsk: (name) => `Remove the second factor of ${name}?`,
    removeWhat:
      'Use this if the phone is lost. Until a new second factor is set up, the password is enough to sign in. Open sessions continue.',
  },
};
