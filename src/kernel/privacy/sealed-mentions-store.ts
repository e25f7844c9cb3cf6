// Searches sealed columns for a person: the addresses of mails, and of orders with mails. Values are opened chunk by
// chunk. A mail to the person is deleted as a whole, and an order forgets its address.

import { sql } from 'kysely';
import * as v from 'valibot';
import type { Handle } from '../../platform/database/database.ts';
import { readJson } from '../../platform/database/read-json.ts';
import type { TableDeclarations } from '../../platform/database/tables/table-declarations.ts';
import { chunksOf, type Row } from '../../platform/database/tables/table-rows.ts';
import { canOpen, type Seal } from '../../platform/secrets/seal.ts';
import { sealedColumnsOf } from '../../platform/secrets/sealed-columns.ts';
import type { Mention } from './personal-data.ts';
import { inJson } from './personal-json.ts';
import type { PersonalText } from './personal-text.ts';

type Searched = ReturnType<typeof sealedColumnsOf>[number];

export interface SealedChunk {
  place: Searched;
  rows: Row[];
}

/** The rows that contain the text. */
export async function* findSealedRows(
  handle: Handle,
  { seal, tables, text }: { seal: Seal; tables: TableDeclarations; text: PersonalText },
): AsyncGenerator<SealedChunk> {
  for (const place of sealedColumnsOf(tables).filter(({ personal }) => personal))
    for await (const rows of chunksOf(handle, place.table, ['id'])) {
      const found = rows.filter((row) => inJson(text).isIn(open(seal, place, row) ?? ''));
      if (found.length > 0) yield { place, rows: found };
    }
}

export function toSealedMention(seal: Seal, place: Searched, readable: Row, row: Row): Mention {
  const { table, column } = place;
  const opened = readObject(open(seal, place, row) ?? '');
  return { table, row: { ...readable, [column]: opened }, columns: [column], erasure: 'possible' };
}

/** Without the secret of a password link: whoever reads an export must not be able to use it. */
function readObject(text: string): Row {
  const { token: _, ...facts } = v.parse(v.record(v.string(), v.unknown()), readJson(text));
  return facts;
}

/** Undefined if there is no sealed value, or if it cannot be opened: then nobody can read it. */
function open(seal: Seal, { table, column, key }: Searched, row: Row): string | undefined {
  const sealed = row[column];
  const place = { table, column, row: String(row[key]) };
  return typeof sealed === 'string' && canOpen(seal, sealed, place) ? seal.open(sealed, place) : undefined;
}

/** Returns the number of changed rows. */
export async function eraseSealed(transaction: Handle, { place, rows }: SealedChunk): Promise<number> {
  const ids = sql.join(rows.map(({ id }) => id));
  const { numAffectedRows = 0n } = await (place.personal === 'row'
    ? sql`delete from ${sql.table(place.table)} where id in (${ids})`
    : sql`update ${sql.table(place.table)} set ${sql.ref(place.column)} = null where id in (${ids})`
  ).execute(transaction);
  return Number(numAffectedRows);
}
