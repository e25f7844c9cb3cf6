// What the tables of the platform declare.

import type { PlatformTables } from '../schema.ts';
import type { Declarations } from './table-declarations.ts';

export const tables = {
  settings: { key: ['name'], personal: { value: 'kept', name: 'other' } },
  leases: { key: ['name'], copied: 'by-move', personal: { name: 'other', holder: 'other' } },
} satisfies Declarations<PlatformTables>;
