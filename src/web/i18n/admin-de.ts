// German messages for the administration pages.

import { auditDe } from './audit-de.ts';
import { sitesDe } from './sites-de.ts';
import { usersDe } from './users-de.ts';
import { webhooksDe } from './webhooks-de.ts';

export const adminDe = {
  sites: sitesDe,
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
  keys: {
    title: 'API-Schlüssel',
    intro: 'Mit einem Schlüssel legt ein anderes Programm Voucher an oder listet sie.',
    docs: 'Beschreibung der API mit Beispielen',
    add: 'Schlüssel erstellen',
    name: 'Name',
    nameHint: 'Wofür er ist; steht in Benachrichtigungen und im Protokoll',
    scope: 'Darf',
    read: 'Nur lesen',
    write: 'Lesen und erstellen',
    limit: 'Anfragen pro Minute',
    limitHint: '0 heißt unbegrenzt',
    unlimited: 'unbegrenzt',
    lastUsed: 'Zuletzt benutzt',
    created: 'Erstellt',
    state: 'Zustand',
    active: 'aktiv',
    revoked: 'widerrufen',
    revoke: 'Widerrufen',
    revokeAsk: (name: string) => `Schlüssel „${name}“ widerrufen?`,
    revokeWhat:
      'Anfragen mit diesem Schlüssel werden ab sofort abgewiesen. Das lässt sich nicht zurücknehmen.',
    change: 'Ändern',
    made: (name: string) => `Schlüssel „${name}“ ist erstellt`,
    tryIt: 'Gleich ausprobieren:',
    empty: 'Noch keine Schlüssel.',
  },
};

export type AdminMessages = typeof adminDe;
