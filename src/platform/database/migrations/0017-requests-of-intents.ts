// The id of the request that ordered a voucher. The log names the request when the order is settled, so that an order
// can be followed to its end.

import type { SqlDialect } from './migration.ts';

export function requestsOfIntents(_dialect: SqlDialect): string[] {
  return ['alter table intents add column request_id text'];
}
