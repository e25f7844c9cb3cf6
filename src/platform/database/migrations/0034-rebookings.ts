// Vouchers that a newer voucher with the same reference replaces.

import type { SqlDialect } from './migration.ts';

export function rebookings({ integer }: SqlDialect): string[] {
  return [
    `alter table vouchers add column successor_id ${integer}`,
    'create index vouchers_of_successor on vouchers (successor_id) where successor_id is not null',
    `create index vouchers_superseded on vouchers (site_id, id)
      where successor_id is not null and revoked_at_s is null and ended_at_s is null`,
  ];
}
