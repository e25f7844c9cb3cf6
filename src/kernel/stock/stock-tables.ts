// The table of the stock.

import type { Generated } from 'kysely';
import type { Declarations } from '../../platform/database/tables/table-declarations.ts';

export interface StockTables {
  stock: {
    id: Generated<number>;
    site_id: number;
    /** The screen that shows the voucher next; null for the reserve. */
    screen_id: number | null;
    state: string;
    name: string;
    max_uses: number;
    expire_minutes: number;
    down_kbps: number;
    up_kbps: number;
    quota_mb: number;
    code: string;
    controller_voucher_id: string | null;
    made_at_ms: number;
    /** Since when the controller does not list the voucher. */
    missing_since_ms: Generated<number | null>;
  };
}

export const tables = {
  stock: {
    key: ['id'],
    copied: 'by-move',
    personal: { name: 'kept', state: 'other', code: 'other', controller_voucher_id: 'other' },
  },
} satisfies Declarations<StockTables>;

declare module '../../platform/database/schema.ts' {
  interface Tables extends StockTables {}
}
