// English messages for the administration pages.

import { auditEn } from '../audit/audit-texts-en.ts';
import type { Outdated } from '../instances/known-since.ts';
import { keysEn } from '../keys/key-texts-en.ts';
import { sitesEn } from '../sites/site-texts-en.ts';
import { usersEn } from '../users/user-texts-en.ts';
import type { AdminMessages } from './admin-texts-de.ts';

export const adminEn: AdminMessages = {
  sites: sitesEn,
  keys: keysEn,
  users: usersEn,
  audit: auditEn,
  title: 'Administration',
  nav: {
    sites: 'Sites',
    keys: 'API keys',
    users: 'Users',
    audit: 'Audit log',
  },
  yes: 'yes',
  no: 'no',
  save: 'Save',
  cancel: 'Cancel',
  never: 'never',
  outdated: ({ instance, release, value, since }: Outdated) =>
    `Instance ${instance} still runs ${release}, which does not know “${value}” (new in ${since}). Please upgrade that instance first.`,
  notKnown: 'not known to this release',
  notKnownKept: 'A newer release stored this; it cannot be changed here. Please upgrade this instance.',
  stored: 'I have stored it',
  once: 'This is shown only once. Copy it now and keep it safe.',
  copy: 'Copy',
  saveAsFile: 'Save as a file',
};
