// Queries for messages that their recipients ask for. A message is handed out, given back or confirmed.

import type { RawBuilder } from 'kysely';
import type { Handle } from '../../platform/database/database.ts';
import type { ChannelRules, Message } from './message.ts';

/** The raised number of attempts shows all other instances that the message was handed out since they read it. */
export async function updateToHandedOut(handle: Handle, message: Message): Promise<Message | undefined> {
  const { id, state, attempts } = message;
  const result = await handle
    .updateTable('messages')
    .set({ state: 'sending', attempts: attempts + 1 })
    .where('id', '=', id)
    .where('state', '=', state)
    .where('attempts', '=', attempts)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n ? { ...message, state: 'sending', attempts: attempts + 1 } : undefined;
}

export async function updateToGivenBack(
  handle: Handle,
  { id, attempts }: Pick<Message, 'id' | 'attempts'>,
): Promise<void> {
  await handle
    .updateTable('messages')
    .set({ state: 'waiting' })
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .where('attempts', '=', attempts)
    .execute();
}

/** Returns false if there is no such message, or if its outcome is known. */
export async function updateFromUncertain(
  handle: Handle,
  { name }: Pick<ChannelRules, 'name'>,
  { id, recipientId }: Pick<Message, 'id' | 'recipientId'>,
  now: RawBuilder<number>,
): Promise<boolean> {
  const result = await handle
    .updateTable('messages')
    .set({ state: 'done', finished_at_ms: now })
    .where('id', '=', id)
    .where('channel', '=', name)
    .where('recipient_id', '=', recipientId)
    .where('state', '=', 'uncertain')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
