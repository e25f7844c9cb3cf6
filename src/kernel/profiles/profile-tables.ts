// The tables of profiles.

import type { Generated } from 'kysely';
import type { Declarations } from '../../platform/database/tables/table-declarations.ts';
import type { OrderColumns } from '../vouchers/voucher-tables.ts';

export interface ProfileTables {
  profiles: OrderColumns & {
    id: Generated<number>;
    /** Null if the vouchers last `expire_minutes`. */
    nights: Generated<number | null>;
  };
  /** A profile without rows here applies to all sites. */
  profile_sites: { profile_id: number; site_id: number };
}

export const tables = {
  profiles: { key: ['id'], personal: { name: 'kept' } },
  profile_sites: { key: ['profile_id', 'site_id'], personal: {} },
} satisfies Declarations<ProfileTables>;

declare module '../../platform/database/schema.ts' {
  interface Tables extends ProfileTables {}
}
