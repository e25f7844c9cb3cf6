// The request that ordered a voucher: the log of settling names it, so that an order can be followed to its end.

import type { SqlDialect } from './migration.ts';

export function requestsOfIntents(_dialect: SqlDialect): string[] {
  return ['alter table intents add column request_id text'];
}
