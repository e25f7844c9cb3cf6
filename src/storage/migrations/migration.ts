// What a migration is, and the words in which the engines differ.

export interface EngineWords {
  /** Column definition of a number that identifies a row and is never given twice. */
  rowId: string;
  /** Whole numbers up to 2^53. */
  integer: string;
  /** A column of text that is put in order byte by byte. */
  bytewiseText: string;
  /** What follows a table's closing bracket. */
  tableEnd: string;
  /** How a table begins whose rows need not survive a crash of the database. */
  scratchTable: string;
}

export interface Migration {
  version: number;
  statements: (words: EngineWords) => string[];
}
