// What the response stored for an Idempotency-Key names: a voucher or a batch. Responses of earlier releases have
// neither.

import type { SqlDialect } from './migration.ts';

export function freedKeys({ integer }: SqlDialect): string[] {
  return [
    `alter table idempotent_answers add column voucher_id ${integer}`,
    'alter table idempotent_answers add column batch_id text',
  ];
}
