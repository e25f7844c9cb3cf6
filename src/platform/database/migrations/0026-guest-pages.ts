// Guest pages: whether a site has them, and the links that open them.

import type { SqlDialect } from './migration.ts';

export function guestPages({ integer, tableEnd }: SqlDialect): string[] {
  return [
    `alter table sites add column guest_page ${integer} not null default 0`,
    // One link per voucher. It is deleted with the voucher, also by an instance of an earlier release, which does not
    // know this table.
    `create table guest_links (
      voucher_id ${integer} primary key references vouchers (id) on delete cascade,
      token_hash text not null unique,
      sealed_token text not null,
      created_at_ms ${integer} not null,
      opened_at_ms ${integer}
    ) ${tableEnd}`,
  ];
}
