// Checks whether a backup file is complete and undamaged, without restoring it. With the passphrase it also checks
// whether the file is unchanged and whether its secret opens its sealed values.

import type { TableDeclarations } from '../database/tables/table-declarations.ts';
import type { Row } from '../database/tables/table-rows.ts';
import { CannotOpen, makeSeal, type Seal } from '../secrets/seal.ts';
import { CHECK_PLACE, type Place, sealedColumnsOf } from '../secrets/sealed-columns.ts';
import type { Header } from './format.ts';
import { readBackup } from './read-backup.ts';

export interface CheckedBackup {
  header: Header;
  rows: number;
  isAuthentic: boolean;
  /** The number of sealed values that the secret opens; undefined if the secret is not known. */
  opened: number | undefined;
  /** What is wrong with each sealed value that the secret does not open. */
  broken: string[];
}

/** Throws the same errors as readBackup. */
export async function checkBackup(
  file: string,
  passphrase: string | undefined,
  tables: TableDeclarations,
): Promise<CheckedBackup> {
  let seal: Seal | undefined;
  let opened = 0;
  const broken: string[] = [];
  const columns = sealedColumnsOf(tables);
  const { header, isAuthentic } = await readBackup(file, {
    passphrase,
    header(_, secret) {
      seal = secret === undefined ? undefined : makeSeal(secret);
    },
    rows(table, rows) {
      if (!seal) return;
      for (const { place, sealed } of sealedValuesOf(columns, table, rows))
        try {
          seal.open(sealed, place);
          opened++;
        } catch (error) {
          if (!(error instanceof CannotOpen)) throw error;
          broken.push(error.message);
        }
    },
  });
  const rows = Object.values(header.tables).reduce((sum, count) => sum + count, 0);
  return { header, rows, isAuthentic, opened: seal && opened, broken };
}

function* sealedValuesOf(
  columns: ReturnType<typeof sealedColumnsOf>,
  table: string,
  rows: Row[],
): Generator<{ place: Place; sealed: string }> {
  if (table === CHECK_PLACE.table)
    for (const { name, value } of rows)
      if (name === CHECK_PLACE.row) yield { place: CHECK_PLACE, sealed: String(value) };
  for (const { table: sealedTable, column, key } of columns)
    if (sealedTable === table)
      for (const row of rows)
        if (typeof row[column] === 'string')
          yield { place: { table: sealedTable, column, row: String(row[key]) }, sealed: row[column] };
}
