// Queries for the stored login sessions of controllers. The sessions are sealed.

import type { Handle } from '../database.ts';

export async function selectSession(handle: Handle, address: string): Promise<string | undefined> {
  const row = await handle
    .selectFrom('controller_sessions')
    .select('sealed_session')
    .where('address', '=', address)
    .executeTakeFirst();
  return row?.sealed_session;
}

export async function upsertSession(handle: Handle, address: string, sealedSession: string): Promise<void> {
  await handle
    .insertInto('controller_sessions')
    .values({ address, sealed_session: sealedSession })
    .onConflict((conflict) => conflict.column('address').doUpdateSet({ sealed_session: sealedSession }))
    .execute();
}
