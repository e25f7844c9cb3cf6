// State that several instances on one database share: the windows of rate limits, and the leases for background work.

import type { SqlDialect } from './migration.ts';

export function severalInstances({ integer, tableEnd, scratchTable }: SqlDialect): string[] {
  return [
    // A row is needed for a minute at most and need not survive a database crash, so counting needs no sync to disk.
    `${scratchTable} rate_windows (
      api_key_id text primary key,
      started_at_ms ${integer} not null,
      counted ${integer} not null,
      refused ${integer} not null
    ) ${tableEnd}`,

    `create table leases (
      name text primary key,
      holder text not null,
      until_ms ${integer} not null
    ) ${tableEnd}`,
  ];
}
