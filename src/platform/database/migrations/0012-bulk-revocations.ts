// Bulk revocations: the vouchers to be revoked and what became of each. Also: who revoked a voucher, and an index for
// the list of batches.

import type { SqlDialect } from './migration.ts';

export function bulkRevocations({ integer, tableEnd }: SqlDialect): string[] {
  return [
    'alter table vouchers add column revoked_by text',

    `create table bulk_revocations (
      id text primary key,
      user_id ${integer} not null references users (id),
      address text not null,
      site_ids text not null,
      batch_id text,
      only_unused ${integer} not null,
      created_at_ms ${integer} not null,
      ended_at_ms ${integer}
    ) ${tableEnd}`,
    'create index bulk_revocations_open on bulk_revocations (created_at_ms) where ended_at_ms is null',
    'create index bulk_revocations_of_batch on bulk_revocations (batch_id) where batch_id is not null',

    // The voucher may be deleted after its retention period, so its id is not a reference.
    `create table bulk_revocation_vouchers (
      revocation_id text not null references bulk_revocations (id) on delete cascade,
      voucher_id ${integer} not null,
      site_id ${integer} not null,
      outcome text,
      problem text,
      cause text,
      primary key (revocation_id, voucher_id)
    ) ${tableEnd}`,
    `create index bulk_revocation_vouchers_open on bulk_revocation_vouchers (revocation_id, site_id, voucher_id)
      where outcome is null`,

    'create index batches_of_several on batches (created_at_ms desc, id desc, site_id) where wanted > 1',
  ];
}
