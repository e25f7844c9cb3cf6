// All migrations in their order. A migration that has been released is never changed again.

import { firstTables } from './0001-first-tables.ts';
import type { Migration } from './migration.ts';

export const migrations: Migration[] = [{ version: 1, statements: firstTables }];
