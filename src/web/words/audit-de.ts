// The words around the audit log in German.

const actions: Record<string, string> = {
  'voucher.created': 'Voucher erstellt',
  'voucher.revoked': 'Voucher widerrufen',
  'key.created': 'Schlüssel erstellt',
  'key.changed': 'Schlüssel geändert',
  'key.revoked': 'Schlüssel widerrufen',
  'site.added': 'Standort hinzugefügt',
  'site.changed': 'Standort geändert',
  'user.added': 'Person hinzugefügt',
  'user.changed': 'Person geändert',
  'user.password-reset': 'Passwort geändert',
  'user.signed-in': 'Angemeldet',
  'profile.added': 'Profil hinzugefügt',
  'profile.changed': 'Profil geändert',
  'profile.removed': 'Profil entfernt',
  'webhook.added': 'Webhook hinzugefügt',
  'webhook.changed': 'Webhook geändert',
  'webhook.removed': 'Webhook entfernt',
  'delivery.resent': 'Noch einmal zugestellt',
  'installation.set-up': 'Eingerichtet',
};

export const auditDe = {
  title: 'Protokoll',
  intro: 'Wer wann was getan hat.',
  actions,
  when: 'Zeit',
  who: 'Wer',
  what: 'Was',
  subject: 'Woran',
  anyAction: 'Alles',
  search: 'Woran (Teil des Textes)',
  find: 'Filtern',
  clear: 'Filter aufheben',
  empty: 'Noch nichts aufgezeichnet.',
  nothing: 'Nichts gefunden. Ein kürzerer Text oder weniger Filter helfen weiter.',
  download: 'Als CSV herunterladen',
  most: (count: string) => `Höchstens die neuesten ${count} Einträge, mit den gewählten Filtern.`,
  nothingYet: 'Unter den neuesten Einträgen ist nichts dabei. Weiter zurück suchen?',
  lookFurther: 'Weiter zurück suchen',
  older: 'Ältere',
  newest: 'Neueste',
};

export type AuditWords = typeof auditDe;
