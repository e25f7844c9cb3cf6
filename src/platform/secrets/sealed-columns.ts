// All columns with sealed values. `rekey` and `doctor` visit exactly these columns. Code that seals a value for another
// column does not compile.

import { sql } from 'kysely';
import type { Handle } from '../database/database.ts';

/**
 * `replaceable`: sessions, links and paths, of which `rekey` deletes what cannot be opened. The next login begins a new
 * session, and staff can make a new link or path. `row`: the whole row is deleted. `web-session`: so is the web session,
 * because without its row here, it would no longer be checked at the identity provider. `token`: the row stays, because
 * its path is found by the hash of the token and still works.
 */
export const sealedColumns = [
  { table: 'sites', column: 'sealed_credentials', key: 'id', replaceable: false },
  { table: 'site_slips', column: 'sealed_wifi_password', key: 'site_id', replaceable: false },
  { table: 'guest_links', column: 'sealed_token', key: 'voucher_id', replaceable: 'row' },
  { table: 'webhooks', column: 'sealed_url', key: 'id', replaceable: false },
  { table: 'webhooks', column: 'sealed_secrets', key: 'id', replaceable: false },
  { table: 'second_factors', column: 'sealed_secret', key: 'user_id', replaceable: false },
  { table: 'single_sign_on', column: 'sealed_client_secret', key: 'id', replaceable: false },
  { table: 'external_sessions', column: 'sealed_id_token', key: 'token_hash', replaceable: 'web-session' },
  {
    table: 'external_sessions',
    column: 'sealed_refresh_token',
    key: 'token_hash',
    replaceable: 'web-session',
  },
  { table: 'messages', column: 'sealed_payload', key: 'event_id', replaceable: false },
  { table: 'batches', column: 'sealed_mail', key: 'id', replaceable: false },
  { table: 'mail_server', column: 'sealed_password', key: 'id', replaceable: false },
  { table: 'printers', column: 'sealed_token', key: 'token_hash', replaceable: 'token' },
  { table: 'screens', column: 'sealed_token', key: 'token_hash', replaceable: 'token' },
  { table: 'request_pages', column: 'sealed_token', key: 'token_hash', replaceable: 'token' },
  { table: 'controller_sessions', column: 'sealed_session', key: 'address', replaceable: 'row' },
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

/** False if a value of this place must stay, even if it cannot be opened. */
export function isReplaceable({ place }: StoredValue): boolean {
  return replacementOf(place) !== false;
}

function replacementOf({ table, column }: SealedPlace) {
  return sealedColumns.find((one) => one.table === table && one.column === column)?.replaceable ?? false;
}

/** Deletes what cannot be opened, if it is replaceable. */
export async function deleteReplaceable(handle: Handle, { place, key }: StoredValue): Promise<void> {
  const { table, column, row } = place;
  switch (replacementOf(place)) {
    case 'token':
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = null where ${sql.ref(key)} = ${row}`.execute(
        handle,
      );
      return;
    case 'row':
      await sql`delete from ${sql.table(table)} where ${sql.ref(key)} = ${row}`.execute(handle);
      return;
    case 'web-session':
      await sql`delete from web_sessions where ${sql.ref(key)} = ${row}`.execute(handle);
      return;
    case false:
  }
}
