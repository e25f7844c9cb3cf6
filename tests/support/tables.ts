// The tables of an installation with all its features.

import { loadTables } from '../../src/app/tables.ts';
import { copiedTables, keptTables } from '../../src/platform/database/tables/table-declarations.ts';

export const tables = await loadTables();

/** The columns that identify a row, by table. */
export const copied = new Map(copiedTables(tables).map(([table, { key }]) => [table, key]));

/** The tables of a backup. */
export const kept = new Set(keptTables(tables).map(([table]) => table));
