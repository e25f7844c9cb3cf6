// Until when a batch goes on by itself, how many of its vouchers were announced before it was resumed, and the batch
// that replaces it.

import type { SqlDialect } from './migration.ts';

export function batchesThatGoOn({ integer }: SqlDialect): string[] {
  return [
    `alter table batches add column goes_on_until_ms ${integer}`,
    `alter table batches add column announced ${integer}`,
    'alter table batches add column replaced_by text',
  ];
}
