// Queries for the mail server and its pause.

import type { Insertable, Selectable } from 'kysely';
import type { Handle } from '../../platform/database/database.ts';
import type { MailTables } from './mail-tables.ts';

export const ONLY_ROW = 1;

export function selectMailServer(handle: Handle): Promise<Selectable<MailTables['mail_server']> | undefined> {
  return handle.selectFrom('mail_server').selectAll().where('id', '=', ONLY_ROW).executeTakeFirst();
}

export async function upsertMailServer(
  handle: Handle,
  server: Omit<Insertable<MailTables['mail_server']>, 'id'>,
): Promise<void> {
  await handle
    .insertInto('mail_server')
    .values({ ...server, id: ONLY_ROW })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(server))
    .execute();
}

/** Returns the host of the deleted server. */
export async function deleteMailServer(handle: Handle): Promise<string | undefined> {
  const row = await handle
    .deleteFrom('mail_server')
    .where('id', '=', ONLY_ROW)
    .returning('host')
    .executeTakeFirst();
  return row?.host;
}

/** The pause of the mail server is stored for the recipient 0, because its recipients are lanes. */
export async function deleteServerPause(handle: Handle): Promise<void> {
  await handle
    .deleteFrom('message_recipients')
    .where('channel', '=', 'mail')
    .where('recipient_id', '=', 0)
    .execute();
}
