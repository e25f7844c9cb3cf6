// The type of a migration, and the SQL fragments in which the engines differ.

export interface SqlDialect {
  /** Column definition of a generated row id that is never reused. */
  rowId: string;
  /** Type of a column for whole numbers up to 2^53. */
  integer: string;
  /** Type of a text column that is sorted byte by byte. */
  bytewiseText: string;
  /** Follows the closing bracket of a table definition. */
  tableEnd: string;
  /** Begins the definition of a table whose rows need not survive a crash of the database. */
  scratchTable: string;
  /** Whether instances of an earlier release may be running on the database. */
  isShared: boolean;
}

export interface Migration {
  version: number;
  /** What the migration adds, for the report of `gastpass migrate`. */
  adds: string;
  statements: (dialect: SqlDialect) => string[];
}
