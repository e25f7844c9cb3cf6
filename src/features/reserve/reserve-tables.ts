// The table of the reserves of sites.

import type { Declarations } from '../../platform/database/tables/table-declarations.ts';

export interface ReserveTables {
  /** Without a row, a site has no reserve. Without a profile, the vouchers have the default limits. */
  site_reserves: { site_id: number; wanted: number; profile_id: number | null };
}

export const tables = {
  site_reserves: { key: ['site_id'], personal: {} },
} satisfies Declarations<ReserveTables>;

declare module '../../platform/database/schema.ts' {
  interface Tables extends ReserveTables {}
}
