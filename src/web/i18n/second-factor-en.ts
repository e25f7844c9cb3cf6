// English messages for the second factor.

import type { SecondFactorMessages } from './second-factor-de.ts';

export const secondFactorEn: SecondFactorMessages = {
  title: 'Second factor',
  off: 'Switched off: the password is enough to sign in.',
  begin: 'Set up a second factor',
  on: 'switched on',
  since: (time) => `Since ${time}.`,
  codesLeft: (count) => (count === 1 ? '1 recovery code is left.' : `${count} recovery codes are left.`),
  few: 'Only a few are left. Making new ones replaces them.',
  isRequired: 'It is required here and cannot be switched off.',

  setUp: {
    title: 'Set up a second factor',
    intro: 'Besides the password, signing in then needs a code that an app on the phone shows.',
    required: 'A second factor is required for this account. Set it up to continue.',
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
    turnedOn: 'The second factor is switched on',
    made: 'New recovery codes',
    what: 'Without the phone, a recovery code signs you in. Each of them works once.',
    button: 'New recovery codes',
    ask: 'Make new recovery codes?',
    askWhat: 'The current ones will stop working.',
  },

  switchOff: {
    button: 'Switch off',
    ask: 'Switch the second factor off?',
    what: 'The password is then enough to sign in. The recovery codes stop working.',
    refused: 'This is not possible: a second factor is required for this account.',
  },

  signIn: {
    title: 'Enter the code',
    code: 'Code',
    codeHint: 'Six digits from the app, or a recovery code',
    button: 'Sign in',
    wrong: 'This code is wrong or was used before.',
    over: 'That took too long, or too many codes were wrong. Please sign in again.',
    back: 'Back to signing in',
  },

  users: {
    column: 'Second factor',
    rule: 'Required of',
    ruleHint: 'Anyone without one is asked to set it up next, before anything else.',
    nobody: 'nobody',
    admins: 'administrators',
    everyone: 'everyone',
    remove: 'Remove second factor',
    removeAsk: (name) => `Remove the second factor of ${name}?`,
    removeWhat:
      'For when the phone is lost. Until a new one is set up, the password is enough to sign in. Open sessions go on.',
  },
};
