// German messages for the administration pages.

import { auditDe } from './audit-de.ts';
import { keysDe } from './keys-de.ts';
import { sitesDe } from './sites-de.ts';
import { usersDe } from './users-de.ts';
import { webhooksDe } from './webhooks-de.ts';

export const adminDe = {
  sites: sitesDe,
  keys: keysDe,
  users: usersDe,
  webhooks: webhooksDe,
  audit: auditDe,
  title: 'Verwaltung',
  nav: {
    sites: 'Standorte',
    keys: 'API-Schlüssel',
    webhooks: 'Webhooks',
    users: 'Benutzer',
    audit: 'Protokoll',
  },
  yes: 'ja',
  no: 'nein',
  save: 'Speichern',
  cancel: 'Abbrechen',
  never: 'noch nie',
  stored: 'Ist sicher aufbewahrt',
  once: 'Wird nur dieses eine Mal gezeigt. Jetzt kopieren und sicher aufbewahren.',
  copy: 'Kopieren',
  saveAsFile: 'Als Datei speichern',
};

export type AdminMessages = typeof adminDe;
