// What several instances on one database share: the windows of rate limits, and who does which background
// work at the moment.

import type { EngineWords } from './migration.ts';

export function severalInstances({ integer, tableEnd, scratchTable }: EngineWords): string[] {
  return [
    // Worth a minute at most: need not survive the database's own crash, so counting costs no sync to disk.
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
