// All migrations in their order. A migration that has been released is never changed again.

import { firstTables } from './0001-first-tables.ts';

/** Where the engines spell things differently. */
export interface EngineWords {
  /** Column definition of a number that identifies a row and is never given twice. */
  rowId: string;
  /** Whole numbers up to 2^53. */
  integer: string;
  /** What follows a table's closing bracket. */
  tableEnd: string;
}

export interface Migration {
  version: number;
  statements: (words: EngineWords) => string[];
}

export const migrations: Migration[] = [{ version: 1, statements: firstTables }];
