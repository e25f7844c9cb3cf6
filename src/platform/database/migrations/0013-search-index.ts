// The index for the search by any part of a code or a name. A background worker fills it
// (kernel/vouchers/turns/search-index.ts).

import type { SqlDialect } from './migration.ts';

export function searchIndex({ integer, bytewiseText, tableEnd }: SqlDialect): string[] {
  return [
    `create table voucher_parts (
      part ${bytewiseText} not null,
      block ${integer} not null,
      vouchers text not null,
      primary key (part, block)
    ) ${tableEnd}`,
    'create index voucher_parts_of_block on voucher_parts (block)',
  ];
}
