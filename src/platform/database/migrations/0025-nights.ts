// Vouchers that end at a fixed moment, such as the check-out of a site after some nights.

import type { SqlDialect } from './migration.ts';

export function nights({ integer }: SqlDialect): string[] {
  return [
    "alter table sites add column check_out text not null default '11:00'",
    'alter table sites add column time_zone text',
    `alter table vouchers add column ends_at_s ${integer}`,
    `alter table intents add column ends_at_s ${integer}`,
    `alter table batches add column ends_at_s ${integer}`,
    `alter table profiles add column nights ${integer}`,
    // Vouchers that the controller may still have after their end.
    'create index vouchers_ending on vouchers (ends_at_s) where ends_at_s is not null and ended_at_s is null',
  ];
}
