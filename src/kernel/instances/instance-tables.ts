// The table of running services. An instance belongs to the database in which it registered, so the table is not
// copied.

import type { Declarations } from '../../platform/database/tables/table-declarations.ts';

export interface InstanceTables {
  /** One row per running service. `release` is the version that it runs. */
  instances: {
    id: string;
    name: string;
    release: string;
    schema_version: number;
    started_at_ms: number;
    seen_at_ms: number;
  };
}

export const tables = {
  instances: { key: ['id'], copied: 'never', personal: { id: 'other', name: 'other', release: 'other' } },
} satisfies Declarations<InstanceTables>;

declare module '../../platform/database/schema.ts' {
  interface Tables extends InstanceTables {}
}
