// English texts of the mails to users.

import type { AccountMailMessages } from '../../de/staff/account-mail.ts';

export const accountMailEn: AccountMailMessages = {
  hello: 'Hello,',
  sentBy: (title) => `This e-mail was sent automatically by ${title}.`,
  until: (time) =>
    `The link works once, until ${time}. Do not pass it on: whoever has it can set the password.`,
  links: {
    invitation: {
      subject: (title) => `Invitation to ${title}`,
      what: (title) => `An account for you was created at ${title}. Please choose a password.`,
      button: 'Choose a password',
      notYou: 'You do not expect an invitation? Then there is nothing to do.',
    },
    'password-reset': {
      subject: (title) => `New password for ${title}`,
      what: (title) =>
        `With this link you choose a new password for your account at ${title}. All your sessions end then.`,
      button: 'Choose a new password',
      notYou: 'You did not ask for a link? Then there is nothing to do, and your current password stays.',
    },
  },
  changes: {
    password: {
      title: 'Your password was changed',
      what: (title, time) => `The password of your account at ${title} was changed on ${time}.`,
    },
    'second-factor-on': {
      title: 'Two-factor sign-in switched on',
      what: (title, time) => `Two-factor sign-in was switched on for your account at ${title} on ${time}.`,
    },
    'second-factor-off': {
      title: 'Two-factor sign-in switched off',
      what: (title, time) =>
        `Two-factor sign-in was switched off for your account at ${title} on ${time}. The password is now enough to sign in.`,
    },
    'recovery-codes': {
      title: 'New recovery codes',
      what: (title, time) =>
        `New recovery codes were created for your account at ${title} on ${time}. The earlier ones no longer work.`,
    },
    email: {
      title: 'Your e-mail address was changed',
      what: (title, time) =>
        `The e-mail address of your account at ${title} was changed on ${time}. You can no longer sign in with this address.`,
    },
  },
  notYou: 'Was this not you? Then please tell an administrator at once.',
  backup: {
    title: 'Backup failed',
    what: (title, time) => `The scheduled backup of ${title} failed on ${time}:`,
    next: 'It is tried again every ten minutes. The next e-mail comes only after a backup has succeeded in between.',
  },
};
