// Usage sync: since when a voucher is missing on its controller, whether foreign vouchers are imported, and the result
// of the last sync of each site.

import type { SqlDialect } from './migration.ts';

export function usageSync({ integer, tableEnd }: SqlDialect): string[] {
  return [
    `alter table sites add column imports_foreign ${integer} not null default 1`,

    `alter table vouchers add column missing_since_s ${integer}`,
    // The vouchers that a sync has to check. Vouchers of past years do not enlarge this index.
    'create index vouchers_expected on vouchers (site_id, id) where missing_since_s is null',

    `create table site_syncs (
      site_id ${integer} primary key references sites (id),
      synced_at_ms ${integer},
      failed_at_ms ${integer},
      error text
    ) ${tableEnd}`,
  ];
}
