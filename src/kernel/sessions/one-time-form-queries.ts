// Queries for one-time forms: forms that may be submitted only once.

import type { Handle } from '../../platform/database/database.ts';

/** Returns false if the form was already submitted. */
export async function insertOneTimeForm(handle: Handle, id: string, atMs: number): Promise<boolean> {
  const row = await handle
    .insertInto('sent_forms')
    .values({ id, at_ms: atMs })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteOneTimeForm(handle: Handle, id: string): Promise<void> {
  await handle.deleteFrom('sent_forms').where('id', '=', id).execute();
}

export async function deleteOldOneTimeForms(handle: Handle, beforeMs: number): Promise<void> {
  await handle.deleteFrom('sent_forms').where('at_ms', '<', beforeMs).execute();
}
