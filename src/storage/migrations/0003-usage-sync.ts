// Usage that comes back from the controllers: what is missing there, what others made there, and how the
// last sync of each site went.

import type { EngineWords } from './migration.ts';

export function usageSync({ integer, tableEnd }: EngineWords): string[] {
  return [
    `alter table sites add column imports_foreign ${integer} not null default 1`,

    `alter table vouchers add column missing_since_s ${integer}`,
    // What a sync has to account for, however many vouchers of past years there are.
    'create index vouchers_expected on vouchers (site_id, id) where missing_since_s is null',

    `create table site_syncs (
      site_id ${integer} primary key references sites (id),
      synced_at_ms ${integer},
      failed_at_ms ${integer},
      error text
    ) ${tableEnd}`,
  ];
}
