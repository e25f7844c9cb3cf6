// Queries for the installation itself: single settings, and the number of rows of a table.

import { compileOnce, type Placeholders } from './compiled-query.ts';
import type { Handle } from './database.ts';
import type { Tables } from './schema.ts';

export type SettingName =
  | 'set_up_at'
  | 'secret_check'
  | 'last_probe'
  | 'setup_token_hash'
  | 'house'
  | 'untrusted_proxies'
  | 'ips_shortened_until'
  | 'scheduled_backups'
  | 'backup_failure_reported'
  | 'clock'
  | 'deletions'
  | 'failed_orders'
  | 'moved_in_at';

const byName = compileOnce((handle: Handle, { name }: Placeholders<{ name: SettingName }>) =>
  handle.selectFrom('settings').select('value').where('name', '=', name),
);

export async function selectSetting(handle: Handle, name: SettingName): Promise<string | undefined> {
  return (await byName(handle, { name })).rows[0]?.value;
}

export async function upsertSetting(handle: Handle, name: SettingName, value: string): Promise<void> {
  await handle
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Reads a setting, and locks it until the transaction ends. */
export async function holdSetting(handle: Handle, name: SettingName): Promise<string | undefined> {
  const row = await handle
    .updateTable('settings')
    .set((eb) => ({ value: eb.ref('value') }))
    .where('name', '=', name)
    .returning('value')
    .executeTakeFirst();
  return row?.value;
}

/** As `holdSetting`. If there is no such setting, stores `first`: only a row that exists can be locked. */
export async function holdOrStoreSetting(handle: Handle, name: SettingName, first: string): Promise<string> {
  const row = await handle
    .insertInto('settings')
    .values({ name, value: first })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ value: eb.ref('settings.value') })),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return row.value;
}

/** Returns false if the setting already exists. */
export async function insertSettingUnlessThere(
  handle: Handle,
  name: SettingName,
  value: string,
): Promise<boolean> {
  const row = await handle
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns false if the setting does not exist or has another value. */
export async function deleteSetting(handle: Handle, name: SettingName, value: string): Promise<boolean> {
  const result = await handle
    .deleteFrom('settings')
    .where('name', '=', name)
    .where('value', '=', value)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function countRows(handle: Handle, table: keyof Tables): Promise<number> {
  const row = await handle
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

/** What the installation is used for: real controllers, and pages. Opens no credentials. */
export async function selectUse(handle: Handle): Promise<{ hasConnection: boolean; hasSession: boolean }> {
  const connected = handle
    .selectFrom('sites')
    .select('id')
    .where('active', '=', 1)
    .where('controller_url', 'is not', null);
  const session = handle.selectFrom('web_sessions').select('user_id');
  return {
    hasConnection: (await connected.limit(1).executeTakeFirst()) !== undefined,
    hasSession: (await session.limit(1).executeTakeFirst()) !== undefined,
  };
}
