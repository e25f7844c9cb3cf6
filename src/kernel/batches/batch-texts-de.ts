// German messages for batches: the list and the page of a batch.

const number = (count: number) => count.toLocaleString('de');

export const batchesDe = {
  title: 'Stapel',
  empty: 'Noch keine Stapel. Mehrere Voucher, die auf einmal erstellt werden, erscheinen hier als Stapel.',
  name: 'Name',
  use: 'Nutzung',
  created: 'Erstellt',
  createdBy: 'Erstellt von',
  site: 'Standort',
  allows: 'Erlaubt',
  used: (used: number, all: number) => `${number(used)} von ${number(all)} benutzt`,
  none: 'Keine Voucher',
  all: (count: number) => `Alle ${number(count)}`,
  /** Follows the number of vouchers in use, in which these are counted. */
  ofThemFull: (count: string) => `davon ${count} voll belegt`,
  vouchers: 'Voucher des Stapels',
  allBatches: 'Alle Stapel',
  partOf: 'Stapel',
  pdf: 'PDF',
  csv: 'CSV',
  revokeUnused: (count: number) =>
    count === 1 ? 'Den unbenutzten widerrufen' : `Die ${number(count)} unbenutzten widerrufen`,
  askUnused: (count: number) =>
    count === 1 ? '1 unbenutzten Voucher widerrufen?' : `${number(count)} unbenutzte Voucher widerrufen?`,
  whatUnused: (name: string, count: number) =>
    `Mit ${count === 1 ? 'dem unbenutzten Voucher' : 'den unbenutzten Vouchern'} des Stapels „${name}“ kann sich dann niemand mehr anmelden. ${count === 1 ? 'Er wird' : 'Sie werden'} auch auf der Konsole gelöscht. Benutzte Voucher bleiben gültig. Das lässt sich nicht rückgängig machen.`,
  revoking: 'Unbenutzte Voucher dieses Stapels werden gerade widerrufen.',
  notAllRevoked: (count: number) =>
    count === 1
      ? '1 Voucher dieses Stapels konnte nicht widerrufen werden.'
      : `${number(count)} Voucher dieses Stapels konnten nicht widerrufen werden.`,
  report: 'Zum Bericht',
  back: 'Zum Stapel',
};

export type BatchesMessages = typeof batchesDe;
