// English texts of the mails to users.

import type { AccountMailMessages } from './account-mail-texts-de.ts';

export const accountMailEn: AccountMailMessages = {
  hello: 'Hello,',
  sentBy: (title) => `This e-mail was sent automatically by ${title}.`,
  until: (time) =>
    `The link works only once and until ${time}. Do not pass it on: whoever has it can set the password.`,
  links: {
    invitation: {
      subject: (title) => `Invitation to ${title}`,
      what: (title) => `An account was created for you at ${title}. Please choose a password.`,
      button: 'Choose a password',
      notYou: 'If you do not expect an invitation, you need not do anything.',
    },
    'password-reset': {
      subject: (title) => `New password for ${title}`,
      what: (title) =>
        `Use this link to choose a new password for your account at ${title}. All other sessions then end.`,
      button: 'Choose a new password',
      notYou: 'If you did not ask for a link, you need not do anything: your current password still works.',
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
  notYou: 'If this was not you, please tell an administrator at once.',
  backup: {
    title: 'Backup failed',
    what: (title, time) => `The scheduled backup of ${title} failed on ${time}:`,
    next: 'It is tried again every ten minutes. You get another e-mail only when a backup has succeeded and a later one fails.',
  },
  request: {
    title: 'New request',
    what: (site, time) =>
      `A guest asked for a voucher for “${site}” on ${time}. Please decide in Gastpass under “Requests”.`,
    button: 'Open the requests',
    next: 'What the guest wrote is shown in Gastpass only. When there are many requests, not every one triggers an e-mail.',
  },
};
