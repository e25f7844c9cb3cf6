// German messages for the administration pages.

import { auditDe } from '../audit/audit-texts-de.ts';
import type { Outdated } from '../instances/known-since.ts';
import { keysDe } from '../keys/key-texts-de.ts';
import { sitesDe } from '../sites/site-texts-de.ts';
import { usersDe } from '../users/user-texts-de.ts';

export const adminDe = {
  sites: sitesDe,
  keys: keysDe,
  users: usersDe,
  audit: auditDe,
  title: 'Verwaltung',
  nav: {
    sites: 'Standorte',
    keys: 'API-Schlüssel',
    users: 'Benutzer',
    audit: 'Protokoll',
  },
  yes: 'ja',
  no: 'nein',
  save: 'Speichern',
  cancel: 'Abbrechen',
  never: 'noch nie',
  outdated: ({ instance, release, value, since }: Outdated) =>
    `Die Instanz ${instance} läuft noch mit Version ${release}, die „${value}“ nicht kennt (neu in ${since}). Bitte zuerst diese Instanz aktualisieren.`,
  notKnown: 'dieser Version unbekannt',
  notKnownKept:
    'Eine neuere Version hat das gespeichert; es lässt sich hier nicht ändern. Bitte diese Instanz aktualisieren.',
  stored: 'Fertig, ist notiert',
  once: 'Wird nur dieses eine Mal gezeigt. Jetzt kopieren und sicher aufbewahren.',
  copy: 'Kopieren',
  saveAsFile: 'Als Datei speichern',
};

export type AdminMessages = typeof adminDe;
