// German messages for revoking and exporting vouchers.

export const revokeDe = {
  revoke: 'Widerrufen',
  ask: 'Voucher widerrufen?',
  what: 'Mit seinem Code kann sich dann niemand mehr anmelden. Er wird auch auf dem Controller gelöscht. Das lässt sich nicht rückgängig machen.',
  failedTitle: 'Nicht widerrufen',
  failed: 'Der Voucher wurde nicht widerrufen und gilt weiter.',
  back: 'Zum Voucher',
  export: 'Als CSV speichern',
  most: (limit: string) =>
    `Die CSV-Datei enthält höchstens ${limit} Voucher, nach den gewählten Filtern und in dieser Reihenfolge.`,
  columns: [
    'Code',
    'Name',
    'Standort',
    'Status',
    'Nutzungen',
    'Geräte',
    'Minuten',
    'Erstellt',
    'Endet',
    'Erstellt von',
  ],
};

export type RevokeMessages = typeof revokeDe;
