// English messages for the login page.

import type { LoginMessages } from './login-texts-de.ts';

export const loginEn: LoginMessages = {
  login: {
    title: 'Sign in',
    email: 'E-mail',
    password: 'Password',
    button: 'Sign in',
    stay: 'Stay signed in',
    stayHint: 'For 30 days on this device. Not on devices that others use.',
    ended: 'Your session has ended. Please sign in again.',
    endedKept:
      'Your session has ended, and nothing has been saved yet. Sign in again; what you typed is kept.',
    wrong:
      'Wrong e-mail or password. If you forgot it, an administrator can give you a link for a new password.',
    wait: (time) => `Too many attempts. Please try again in ${time}.`,
    unknownDevice:
      'There were too many failed sign-ins for this account. Please use a device that has signed in before, or tell an administrator.',
    busy: 'Too many people are signing in right now. Please try again in a moment.',
    proxyUserUnknown:
      'The proxy names an account that does not exist here or is deactivated. Please tell an administrator.',
    proxyHeaderWrong: 'The proxy does not clearly name one account. Please tell an administrator.',
    plainHttp: 'This connection is not encrypted. Use it only on your own network, or set up HTTPS.',
    forgotten: {
      link: 'Forgot your password?',
      title: 'Forgotten password',
      intro: 'We will send you a link to choose a new password. Until then, your current one works.',
      button: 'Send me a link',
      sent: 'Check your inbox',
      sentWhat: (duration) =>
        `If there is an account with this address, an e-mail with a link will arrive soon. The link works for ${duration}.`,
      noMail: 'No e-mail? Check your spam folder and the address. Otherwise, an administrator can help.',
    },
  },
  draft: {
    title: 'Signed in again',
    what: 'The form you filled in is still here. It has not been sent yet.',
    entered: 'This will be sent',
    action: 'Form',
    others: 'Further data',
    send: 'Send now',
    discard: 'Discard',
  },
};
