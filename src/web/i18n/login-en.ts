// English messages for the login page.

import type { LoginMessages } from './login-de.ts';

export const loginEn: LoginMessages = {
  signIn: {
    title: 'Sign in',
    email: 'E-mail',
    password: 'Password',
    button: 'Sign in',
    stay: 'Stay signed in',
    stayHint: 'For 30 days on this device. Not on devices that others use.',
    wrong: 'Wrong e-mail or password.',
    wait: (seconds) => `Too many attempts. Please try again in ${seconds} s.`,
    unknownDevice:
      'There were very many failed sign-ins for this account. Please use a device that has signed in before, or ask an administrator.',
    busy: 'Too many people are signing in right now. Please try again in a moment.',
    plainHttp: 'This connection is not encrypted. Use it only on your own network, or set up HTTPS.',
  },
};
