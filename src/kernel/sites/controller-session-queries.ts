// Queries for the stored login sessions of controllers. The sessions are sealed.

import type { Handle } from '../../platform/database/database.ts';

export async function selectSession(handle: Handle, urlAndUser: string): Promise<string | undefined> {
  const row = await handle
    .selectFrom('controller_sessions')
    .select('sealed_session')
    .where('address', '=', urlAndUser)
    .executeTakeFirst();
  return row?.sealed_session;
}

export async function upsertSession(
  handle: Handle,
  urlAndUser: string,
  sealedSession: string,
): Promise<void> {
  await handle
    .insertInto('controller_sessions')
    .values({ address: urlAndUser, sealed_session: sealedSession })
    .onConflict((conflict) => conflict.column('address').doUpdateSet({ sealed_session: sealedSession }))
    .execute();
}
