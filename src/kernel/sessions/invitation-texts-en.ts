// English messages for the links with which users set their password.

import type { InvitationMessages } from './invitation-texts-de.ts';

export const invitationEn: InvitationMessages = {
  title: 'Set your password',
  intro: (name) => `Hello ${name}, choose the password that you want to sign in with.`,
  replaces: (other) => `In this browser, ${other} is signed in. Saving ends that session.`,
  account: 'E-mail for signing in',
  button: 'Save and sign in',
  done: 'The password has been saved',
  doneWhat: 'The link no longer works. You can sign in now.',
  login: 'Sign in',
  void: 'This link is no longer valid',
  voidWhat:
    'It has been used, was replaced by a newer one, or has expired. Please ask an administrator for a new link.',
  voidOrAsk:
    'It has been used, was replaced by a newer one, or has expired. For a new password, you can ask for a new link; an invitation must be renewed by an administrator.',

  onlyHere: 'This address works only on this machine.',
  setAddress: 'Set the public address',
  users: {
    hint: 'Next you get a link to pass on. With it, users choose their own password.',
    invite: 'Invite',
    mailInvitation: 'Send the invitation by e-mail',
    mailLink: 'Send the link by e-mail',
    mailed: (email) =>
      `The e-mail with the link to ${email} is on its way. You can also pass the link on yourself.`,
    invited: (name) => `${name} is invited`,
    linkMade: (name) => `Link for ${name}`,
    passOn: (email) =>
      `Pass this link on to ${email}, by e-mail for example. With it, users choose their own password.`,
    until: (time) => `The link works once, until ${time}. It is shown only now. A new link replaces it.`,
    copy: 'Copy link',
    qr: 'QR code of the link',
    scan: 'Or scan it with the camera of a phone',
    back: 'Back to the users',
    isInvited: 'invited',
    validUntil: (time) => `link valid until ${time}`,
    expired: 'link expired',
    resetUntil: (time) => `password link valid until ${time}`,
    make: 'Link for a new password',
    again: 'New invitation link',
    ask: (name) => `Create a link for ${name}?`,
    what: 'With the link, the user chooses a new password. Until then the current one works; afterwards all sessions of the user end. An earlier link stops working.',
    confirm: 'Create link',
    isOff: 'This account is deactivated. Activate it first.',
  },
};
