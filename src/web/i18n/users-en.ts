// English messages for users.

import type { UserMessages } from './users-de.ts';

export const usersEn: UserMessages = {
  title: 'Users',
  intro: 'Who may sign in here. Operators see only their sites, administrators see everything.',
  add: 'Add user',
  name: 'Name',
  nameHint: 'Appears with vouchers and in the audit log',
  email: 'E-mail',
  emailWrong: 'This is not an e-mail address.',
  emailTaken: 'Someone already has this address.',
  role: 'Role',
  admin: 'Administrator',
  operator: 'Operator',
  sites: 'Sites',
  sitesHint: 'At least one. Other sites are not visible to this user.',
  sitesMissing: 'Please choose at least one site; without one this user cannot do anything.',
  allSites: 'all',
  noSites: 'none yet',
  noSitesYet: 'There is no site yet. Add one first, or choose the role “Administrator”.',
  siteOff: (name) => `${name} (switched off)`,
  state: 'State',
  active: 'active',
  off: 'switched off',
  you: 'your own account',
  change: 'Change',
  changeHidden: (name) => `Change ${name}`,
  ownRole: 'Another administrator can change your role. Your password is under “My account”.',
  access: 'Access',
  switchOff: 'Switch off',
  switchOn: 'Switch on again',
  offAsk: (name) => `Switch ${name} off?`,
  offWhat:
    'This user is signed out everywhere and cannot come back in. Their vouchers stay. They can be switched on again at any time.',
  lastAdmin: 'This is not possible: there would be no administrator left.',
  notYourself: 'This is not possible with your own account. Another administrator can do it.',
};
