// Questions about the installation itself: its settings, and how much of it there is already.

import type { Handle } from '../database.ts';
import type { Tables } from '../schema.ts';

export type SettingName = 'set_up_at' | 'secret_check' | 'last_probe' | 'setup_token_hash' | 'house';

export async function selectSetting(handle: Handle, name: SettingName): Promise<string | undefined> {
  const row = await handle.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

export async function upsertSetting(handle: Handle, name: SettingName, value: string): Promise<void> {
  await handle
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** False when it is there already. */
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

/** False when it is not there, or says something else. */
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
