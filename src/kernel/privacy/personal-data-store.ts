// Searches all tables for a person's name, e-mail address or IP address, and replaces it where nothing depends on it.
// Records are read page by page, so that requests are served in between.

import { sql } from 'kysely';
import type { Database, Handle } from '../../platform/database/database.ts';
import {
  copiedTables,
  type NamedTable,
  type TableDeclarations,
} from '../../platform/database/tables/table-declarations.ts';
import { chunksOf, type Row } from '../../platform/database/tables/table-rows.ts';
import { refuseUnknownRows } from '../../platform/database/tables/unknown-tables.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import type { AuditContext } from '../audit/audit-log.ts';
import { insertAuditEntry } from '../audit/audit-queries.ts';
import { asSiteId, asVoucherId } from '../ids.ts';
import { raiseListVersion } from '../sites/site-queries.ts';
import { forgetBlocksOf } from '../vouchers/storage/search-index-queries.ts';
import { toNameSortKey } from '../vouchers/storage/sorting.ts';
import type { Mention, PersonalDataStore } from './personal-data.ts';
import { inJson, inTextWithJson } from './personal-json.ts';
import type { PersonalText } from './personal-text.ts';
import { eraseSealed, findSealedRows, toSealedMention } from './sealed-mentions-store.ts';

const SECRET = /hash|sealed|token|digest/;

/** Columns with JSON only, and columns whose text may end with JSON. */
const JSON_COLUMNS = new Set(['payload', 'rules', 'details']);
const TEXT_WITH_JSON = new Set(['subject', 'value']);

/** Whether the column of a voucher says who its guest is. The other columns are about users. */
const isOfGuest = (column: string) => ['name', 'reference', 'note'].includes(column);

export function makePersonalDataStore(
  database: Database,
  seal: Seal,
  tables: TableDeclarations,
): PersonalDataStore {
  const isServer = database.writeAtOnce !== undefined;
  const erasing = (change: (transaction: Handle) => Promise<number>) =>
    database.write(async (transaction) => {
      if (!isServer) await overwriteFreed(transaction);
      return change(transaction);
    });
  return {
    async *find(text) {
      await refuseUnknownRows(database.read, { isServer, tables });
      yield* findMentions(database.read, tables, text);
      for await (const { place, rows } of findSealedRows(database.read, { seal, tables, text }))
        for (const row of rows) yield toSealedMention(seal, place, readableOf(row), row);
    },
    async erase(text, audit) {
      await refuseUnknownRows(database.read, { isServer, tables });
      const counts: Record<string, number> = {};
      const count = (table: string, changed: number) => {
        if (changed > 0) counts[table] = (counts[table] ?? 0) + changed;
      };
      for (const place of placesOf(tables, 'erased'))
        for await (const rows of chunksOf(database.read, place.table, place.key)) {
          const changes = rows.flatMap((row) => toChange(row, place, text) ?? []);
          if (changes.length === 0) continue;
          count(
            place.table,
            await erasing((transaction) => applyChanges(transaction, { ...place, changes, tables })),
          );
        }
      for await (const chunk of findSealedRows(database.read, { seal, tables, text }))
        count(chunk.place.table, await erasing((transaction) => eraseSealed(transaction, chunk)));
      await noteErasure(database, counts, audit);
      return counts;
    },
  };
}

interface PersonalColumns {
  table: string;
  key: readonly string[];
  columns: string[];
}

function placesOf(tables: TableDeclarations, kind: 'erased' | 'kept'): PersonalColumns[] {
  return copiedTables(tables).flatMap(([table, { key, personal }]) => {
    const columns = Object.keys(personal).filter((column) => personal[column] === kind);
    return columns.length > 0 ? [{ table, key, columns }] : [];
  });
}

/** The tables whose rows are found and erased together with a row of this table. */
function erasedWith(tables: TableDeclarations, table: string): NamedTable[] {
  return Object.entries(tables).filter(([, declared]) => declared.erasedWith === table);
}

async function* findMentions(
  handle: Handle,
  tables: TableDeclarations,
  text: PersonalText,
): AsyncGenerator<Mention> {
  for (const kind of ['erased', 'kept'] as const)
    for (const { table, key, columns } of placesOf(tables, kind))
      for await (const rows of chunksOf(handle, table, key))
        for (const row of rows) {
          const found = columns.filter((column) => contains(row, column, text));
          if (found.length === 0) continue;
          const listed = table === 'vouchers' && found.includes('name') ? toListed(row) : undefined;
          yield {
            table,
            row: readableOf(row),
            columns: found,
            erasure: kind === 'erased' ? 'possible' : 'kept',
            ...(listed && { listed }),
          };
          if (table === 'vouchers' && found.some(isOfGuest)) yield* findLinked(handle, tables, row);
        }
}

function readableOf(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !SECRET.test(name)));
}

/** What a found voucher has in other tables, such as when its link was opened. It has no text of its own. */
async function* findLinked(handle: Handle, tables: TableDeclarations, { id }: Row): AsyncGenerator<Mention> {
  for (const [table, { key }] of erasedWith(tables, 'vouchers')) {
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)} where ${sql.ref(key.join())} = ${Number(id)}`.execute(handle);
    for (const row of rows) yield { table, row: readableOf(row), columns: [], erasure: 'possible' };
  }
}

function contains(row: Row, column: string, text: PersonalText): boolean {
  const value = row[column];
  return typeof value === 'string' && asStoredIn(column, text).isIn(value);
}

function asStoredIn(column: string, text: PersonalText): PersonalText {
  if (JSON_COLUMNS.has(column)) return inJson(text);
  return TEXT_WITH_JSON.has(column) ? inTextWithJson(text) : text;
}

/**
 * Returns undefined if the controller no longer has the voucher. A voucher without an id from the controller is
 * returned, because it may still be on the controller.
 */
function toListed({ id, site_id, code, controller_voucher_id, missing_since_s, revoked_at_s }: Row) {
  if (missing_since_s !== null || revoked_at_s !== null) return undefined;
  return {
    id: asVoucherId(Number(id)),
    siteId: asSiteId(Number(site_id)),
    controllerVoucherId: typeof controller_voucher_id === 'string' ? controller_voucher_id : null,
    code: String(code),
  };
}

interface Change {
  row: Row;
  values: Row;
}

/**
 * The new values of a row. The name of a voucher that its controller still lists is not erased: the name would stay
 * readable on the controller, but a search here would no longer find it.
 */
function toChange(row: Row, { table, columns }: PersonalColumns, text: PersonalText): Change | undefined {
  const found = columns.filter(
    (column) => contains(row, column, text) && !(table === 'vouchers' && column === 'name' && toListed(row)),
  );
  if (found.length === 0) return undefined;
  const values: Row = Object.fromEntries(
    found.map((column) => [column, asStoredIn(column, text).replaceIn(String(row[column]))]),
  );
  if (table === 'vouchers' && typeof values.name === 'string') values.name_order = toNameSortKey(values.name);
  return { row, values };
}

/** Returns the number of changed rows. A row whose text was changed since it was read stays as it is. */
async function applyChanges(
  transaction: Handle,
  { table, key, changes, tables }: PersonalColumns & { changes: Change[]; tables: TableDeclarations },
): Promise<number> {
  const changed: Change[] = [];
  for (const change of changes) {
    const { row, values } = change;
    const set = Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
    const asRead = [...key, ...Object.keys(values)].map((column) => sql`${sql.ref(column)} = ${row[column]}`);
    const { numAffectedRows = 0n } =
      await sql`update ${sql.table(table)} set ${sql.join(set)} where ${sql.join(asRead, sql` and `)}`.execute(
        transaction,
      );
    if (numAffectedRows > 0n) changed.push(change);
  }
  if (table === 'vouchers')
    await noteErased(
      transaction,
      tables,
      changed.filter(({ values }) => Object.keys(values).some(isOfGuest)).map(({ row }) => row),
    );
  return changed.length;
}

/** Erasing a text about the guest also deletes what other tables have about the voucher. */
async function noteErased(transaction: Handle, tables: TableDeclarations, vouchers: Row[]): Promise<void> {
  const ids = vouchers.map(({ id }) => Number(id));
  await forgetBlocksOf(transaction, ids);
  for (const [table, { key }] of ids.length > 0 ? erasedWith(tables, 'vouchers') : [])
    await sql`delete from ${sql.table(table)} where ${sql.ref(key.join())} in (${sql.join(ids)})`.execute(
      transaction,
    );
  for (const siteId of new Set(vouchers.map((row) => Number(row.site_id))))
    await raiseListVersion(transaction, asSiteId(siteId));
}

/** Makes SQLite overwrite data that is replaced or deleted. PostgreSQL keeps such data until its next vacuum. */
async function overwriteFreed(transaction: Handle): Promise<void> {
  await sql`pragma secure_delete = on`.execute(transaction);
}

/** The audit entry contains only the count, because it must not repeat the erased text. */
async function noteErasure(
  database: Database,
  counts: Record<string, number>,
  audit: AuditContext,
): Promise<void> {
  const records = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (records === 0) return;
  await database.write((transaction) =>
    insertAuditEntry(transaction, { ...audit, action: 'privacy.erased', details: { count: records } }),
  );
}
