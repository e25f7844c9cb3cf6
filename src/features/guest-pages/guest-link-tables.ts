// The table of links to the pages of guests.

import type { Declarations } from '../../platform/database/tables/table-declarations.ts';

export interface GuestLinkTables {
  /** `opened_at_ms` is the hour in which a guest last opened the page; null before that. */
  guest_links: {
    voucher_id: number;
    token_hash: string;
    sealed_token: string;
    created_at_ms: number;
    opened_at_ms: number | null;
  };
}

export const tables = {
  guest_links: {
    key: ['voucher_id'],
    copied: 'by-move',
    erasedWith: 'vouchers',
    personal: { token_hash: 'other' },
    sealed: { sealed_token: { key: 'voucher_id', replaceable: 'row' } },
  },
} satisfies Declarations<GuestLinkTables>;

declare module '../../platform/database/schema.ts' {
  interface Tables extends GuestLinkTables {}
}
