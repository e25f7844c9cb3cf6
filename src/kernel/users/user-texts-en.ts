// English messages for users.

import type { UserMessages } from './user-texts-de.ts';

export const usersEn: UserMessages = {
  title: 'Users',
  intro: 'Who may sign in here. Operators see only their sites; administrators see everything.',
  add: 'Add user',
  name: 'Name',
  nameHint: 'Appears with vouchers and in the audit log',
  email: 'E-mail',
  emailWrong: 'This is not an e-mail address.',
  emailNotPlain:
    'Before the @, use only a–z, digits and characters such as . - _ +; other letters only after it, in lower case.',
  emailTaken: 'Another account already has this address.',
  role: 'Role',
  admin: 'Administrator',
  operator: 'Operator',
  sites: 'Sites',
  sitesHint: 'At least one. Other sites are not visible to this user.',
  sitesMissing: 'Please choose at least one site; without one this user cannot do anything.',
  allSites: 'all',
  noSites: 'none yet',
  noSitesYet: 'There is no site yet. Set one up first, or choose the role “Administrator”.',
  siteOff: (name) => `${name} (inactive)`,
  state: 'Status',
  active: 'active',
  off: 'deactivated',
  you: 'your own account',
  change: 'Change',
  changeHidden: (name) => `Change ${name}`,
  ownRole:
    'Only another administrator can change your role. You can change your password under “My account”.',
  access: 'Access',
  switchOff: 'Deactivate',
  switchOn: 'Activate again',
  offAsk: (name) => `Deactivate the account of ${name}?`,
  offWhat:
    'The user is signed out everywhere and can no longer sign in. Their vouchers stay valid. The account can be activated again at any time.',
  remove: 'Remove',
  removeAsk: (name) => `Remove ${name}?`,
  removeWhat:
    'Name, e-mail address and access are deleted. The vouchers stay valid; pages then show “Removed user” as their owner. The audit log and the records of vouchers and notifications keep the name that the user had at the time. This cannot be undone.',
  lastAdmin: 'This is not possible: there would be no administrator left.',
  notYourself: 'This is not possible with your own account. Another administrator can do it.',
};
