// All columns with sealed values. `rekey` and `doctor` visit exactly these columns. Code that seals a value for another
// column does not compile.

import { sql } from 'kysely';
import type { Handle } from './database.ts';

export const sealedColumns = [
  { table: 'sites', column: 'sealed_credentials', key: 'id' },
  { table: 'site_slips', column: 'sealed_wifi_password', key: 'site_id' },
  { table: 'guest_links', column: 'sealed_token', key: 'voucher_id' },
  { table: 'webhooks', column: 'sealed_url', key: 'id' },
  { table: 'webhooks', column: 'sealed_secrets', key: 'id' },
  { table: 'second_factors', column: 'sealed_secret', key: 'user_id' },
  { table: 'single_sign_on', column: 'sealed_client_secret', key: 'id' },
  { table: 'external_sessions', column: 'sealed_id_token', key: 'token_hash' },
  { table: 'external_sessions', column: 'sealed_refresh_token', key: 'token_hash' },
  { table: 'messages', column: 'sealed_payload', key: 'event_id' },
  { table: 'batches', column: 'sealed_mail', key: 'id' },
  { table: 'mail_server', column: 'sealed_password', key: 'id' },
  { table: 'printers', column: 'sealed_token', key: 'token_hash' },
  { table: 'screens', column: 'sealed_token', key: 'token_hash' },
  { table: 'request_pages', column: 'sealed_token', key: 'token_hash' },
  { table: 'controller_sessions', column: 'sealed_session', key: 'address' },
] as const;

type SealedColumn = (typeof sealedColumns)[number];

/** Where a sealed value is stored. The value can be opened only there. */
export interface SealedPlace {
  table: SealedColumn['table'] | 'settings';
  column: SealedColumn['column'] | 'value';
  /** The value of the row's key. */
  row: number | string;
}

/** The check value shows whether a secret fits the database, and how new values are sealed. */
export const CHECK_PLACE: SealedPlace = { table: 'settings', column: 'value', row: 'secret_check' };

export interface StoredValue {
  place: SealedPlace;
  sealed: string;
  /** The name of the column that identifies the row. */
  key: string;
}

export async function selectSealedValues(handle: Handle): Promise<StoredValue[]> {
  const values: StoredValue[] = [];
  for (const { table, column, key } of sealedColumns) {
    const { rows } = await sql<{ id: number | string; sealed: string }>`
      select ${sql.ref(key)} as id, ${sql.ref(column)} as sealed from ${sql.table(table)}
      where ${sql.ref(column)} is not null order by 1
    `.execute(handle);
    for (const { id, sealed } of rows) values.push({ place: { table, column, row: id }, sealed, key });
  }
  return values;
}

/** `is not null` lets the engines use an index that has only the rows with a sealed value. */
export async function updateSealedValue(
  handle: Handle,
  { place, key }: StoredValue,
  sealed: string,
): Promise<void> {
  const { table, column, row } = place;
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${sealed}
    where ${sql.ref(key)} = ${row} and ${sql.ref(column)} is not null
  `.execute(handle);
}

/** The paths of these rows are found by the hash of the token, so they work without the sealed token. */
const FOUND_BY_HASH: readonly string[] = ['printers', 'screens', 'request_pages'];

/** Deletes a session or a link. Of rows whose path still works, deletes only the sealed token. */
export async function deleteReplaceable(handle: Handle, { place, key }: StoredValue): Promise<void> {
  if (FOUND_BY_HASH.includes(place.table)) {
    await sql`update ${sql.table(place.table)} set sealed_token = null where ${sql.ref(key)} = ${place.row}`.execute(
      handle,
    );
    return;
  }
  // Delete the web session, which also deletes its row in external_sessions. Without that row, a session that began at
  // the identity provider would no longer be checked.
  const table = place.table === 'external_sessions' ? 'web_sessions' : place.table;
  await sql`delete from ${sql.table(table)} where ${sql.ref(key)} = ${place.row}`.execute(handle);
}
