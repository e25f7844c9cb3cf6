// English messages for batches: the list and the page of a batch.

import type { BatchesMessages } from './batch-texts-de.ts';

const number = (count: number) => count.toLocaleString('en');

export const batchesEn: BatchesMessages = {
  title: 'Batches',
  empty: 'No batches yet. Vouchers that are created together appear here as a batch.',
  name: 'Name',
  use: 'Use',
  created: 'Created',
  createdBy: 'Created by',
  site: 'Site',
  allows: 'Allows',
  used: (used, all) => `${number(used)} of ${number(all)} used`,
  none: 'No vouchers',
  all: (count) => `All ${number(count)}`,
  ofThemFull: (count) => `${count} of them fully in use`,
  vouchers: 'Vouchers of this batch',
  allBatches: 'All batches',
  partOf: 'Batch',
  pdf: 'PDF',
  csv: 'CSV',
  revokeUnused: (count) => (count === 1 ? 'Revoke the unused one' : `Revoke the ${number(count)} unused`),
  askUnused: (count) =>
    count === 1 ? 'Revoke 1 unused voucher?' : `Revoke ${number(count)} unused vouchers?`,
  whatUnused: (name, count) =>
    `After that, nobody can sign in with ${count === 1 ? 'the unused voucher' : 'the unused vouchers'} of the batch “${name}”. ${count === 1 ? 'It is' : 'They are'} deleted on the controller too. Used vouchers stay valid. This cannot be undone.`,
  revoking: 'Unused vouchers of this batch are being revoked.',
  notAllRevoked: (count) =>
    count === 1
      ? '1 voucher of this batch could not be revoked.'
      : `${number(count)} vouchers of this batch could not be revoked.`,
  report: 'Show the report',
  back: 'Back to the batch',
};
