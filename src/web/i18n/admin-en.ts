// English messages for the administration pages.

import type { AdminMessages } from './admin-de.ts';
import { auditEn } from './audit-en.ts';
import { sitesEn } from './sites-en.ts';
import { usersEn } from './users-en.ts';
import { webhooksEn } from './webhooks-en.ts';

export const adminEn: AdminMessages = {
  sites: sitesEn,
  users: usersEn,
  webhooks: webhooksEn,
  audit: auditEn,
  title: 'Administration',
  nav: {
    sites: 'Sites',
    keys: 'API keys',
    webhooks: 'Webhooks',
    users: 'Users',
    audit: 'Audit log',
  },
  yes: 'yes',
  no: 'no',
  save: 'Save',
  cancel: 'Cancel',
  never: 'never',
  stored: 'I have stored it',
  once: 'This is shown only once. Copy it now and keep it safe.',
  copy: 'Copy',
  saveAsFile: 'Save as a file',
  keys: {
    title: 'API keys',
    intro: 'With a key, another program can create vouchers or list them.',
    docs: 'API documentation with examples',
    add: 'Create key',
    name: 'Name',
    nameHint: 'What it is for; appears in notifications and in the audit log',
    scope: 'Access',
    read: 'Read only',
    write: 'Read and create',
    limit: 'Requests per minute',
    limitHint: '0 means unlimited',
    unlimited: 'unlimited',
    lastUsed: 'Last used',
    created: 'Created',
    state: 'State',
    active: 'active',
    revoked: 'revoked',
    revoke: 'Revoke',
    revokeAsk: (name) => `Revoke key “${name}”?`,
    revokeWhat: 'From now on, requests with this key are refused. This cannot be undone.',
    change: 'Change',
    made: (name) => `Key “${name}” created`,
    tryIt: 'Try it right away:',
    empty: 'No keys yet.',
  },
};
