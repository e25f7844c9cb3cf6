// What each table declares about itself: for copies, for backups, for `rekey`, and for the search for personal data. A
// table or a text column without a declaration does not compile.

import type { Selectable } from 'kysely';
import type { Tables } from '../schema.ts';

export interface TableDeclaration {
  /** The columns that identify a row. */
  key: readonly string[];
  /**
   * `by-move`: not in a backup, because the table belongs to the running service, can be built again, or contains
   * sessions or links. A session that was ended or a link that was withdrawn after the backup must not come back.
   * `never`: the table belongs to its database. It is not searched for personal data either.
   */
  copied?: 'by-move' | 'never';
  /** The table is filled after the tables of all features: the database drops a message without its recipient. */
  isLast?: boolean;
  /** The text columns that are not sealed. */
  personal: Readonly<Record<string, Personal>>;
  /** The key of a row is the id of a row of that table: both are erased together. */
  erasedWith?: keyof Tables;
  sealed?: Readonly<Record<string, SealedColumn>>;
}

/**
 * `erased`: the text is searched and replaced. `kept`: the text is searched but not replaced. `other`: the text is not
 * searched, because it has only ids, codes, secrets, images, derived values or words of this program.
 */
type Personal = 'erased' | 'kept' | 'other';

export interface SealedColumn {
  /** The column that identifies the row. A sealed value can be opened only in this row. */
  key: string;
  /**
   * Set for sessions, links and paths: what `rekey` deletes if a value cannot be opened. The next login begins a new
   * session, and staff can make a new link or path. `value`: the row stays, because its path is found by the hash of
   * the token and still works. `rowOf`: the row of another table with the same key, and with it this row.
   */
  replaceable?: 'row' | 'value' | { rowOf: keyof Tables };
  /** Set if the value is searched for personal data: what is deleted if it is found. */
  personal?: 'row' | 'value';
}

/** Each table after the tables that it references, so that they can be filled in this order. */
export type TableDeclarations = Readonly<Record<string, TableDeclaration>>;

type TextColumns<Table, Row = Selectable<Table>> = {
  [Column in keyof Row]: NonNullable<Row[Column]> extends string ? Column : never;
}[keyof Row];
type SealedName = `sealed_${string}`;

/** The tables that a noun has to declare. */
export type Declarations<Of> = {
  [Table in keyof Of]: Omit<TableDeclaration, 'key' | 'personal' | 'sealed'> & {
    key: (keyof Of[Table])[];
    personal: Record<Exclude<TextColumns<Of[Table]>, SealedName>, Personal>;
  } & (Extract<keyof Of[Table], SealedName> extends never
      ? object
      : { sealed: Record<Extract<keyof Of[Table], SealedName>, SealedColumn & { key: keyof Of[Table] }> });
};

export type NamedTable = [name: string, declaration: TableDeclaration];

/** The tables that are copied to another database. */
export function copiedTables(tables: TableDeclarations): NamedTable[] {
  return Object.entries(tables).filter(([, { copied }]) => copied !== 'never');
}

/** The tables of a backup. */
export function keptTables(tables: TableDeclarations): NamedTable[] {
  return Object.entries(tables).filter(([, { copied }]) => copied === undefined);
}
