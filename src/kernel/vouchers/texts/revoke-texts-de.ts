// German messages for revoking and exporting vouchers.

export const revokeDe = {
  revoke: 'Widerrufen',
  ask: 'Voucher widerrufen?',
  what: 'Mit seinem Code kann sich dann niemand mehr anmelden. Er wird auch auf der Konsole gelöscht. Das lässt sich nicht rückgängig machen.',
  letIn: (count: number): string =>
    count === 1
      ? 'Mit diesem Voucher wurde ein Gerät angemeldet.'
      : `Mit diesem Voucher wurden ${count} Geräte angemeldet.`,
  letInTogether: (count: number): string =>
    count === 1
      ? 'Mit diesen Vouchern wurde ein Gerät angemeldet.'
      : `Mit diesen Vouchern wurden ${count.toLocaleString('de')} Geräte angemeldet.`,
  stayOnline: 'Angemeldete Geräte bleiben vielleicht online, bis ihre Zeit endet.',
  disconnect: 'Diese Geräte jetzt vom WLAN trennen',
  disconnectHint: 'Sonst bleiben sie vielleicht online, bis ihre Zeit endet.',
  disconnectAgain: 'Noch einmal trennen',
  stillOnlineTitle: 'Geräte nicht getrennt',
  stillOnline: (count: number) =>
    `Der Voucher ist widerrufen, aber ${count === 0 ? 'die Geräte ließen sich nicht trennen' : `nur ${count === 1 ? 'ein Gerät ließ' : `${count} Geräte ließen`} sich trennen`}.`,
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
    'Referenz',
    'Notiz',
  ],
  /** In the CSV file, for vouchers that no user created. */
  creators: { unknown: 'API oder Controller', controller: 'auf dem Controller erstellt' },
};

export type RevokeMessages = typeof revokeDe;
