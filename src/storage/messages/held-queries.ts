// Queries for held messages, which are stored with a voucher order and sent once the voucher is recorded. If the order
// is abandoned, a foreign key deletes its messages together with its intent.

import type { IntentId } from '../../domain/ids.ts';
import type { HeldMessage } from '../../domain/messages/message.ts';
import type { Handle } from '../database.ts';
import { toColumns } from './queries.ts';

export async function insertHeldMessages(
  handle: Handle,
  intentId: IntentId,
  messages: readonly HeldMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  const rows = messages.map(({ channel, ...message }) => ({
    ...toColumns(channel, message),
    state: 'held',
    intent_id: intentId,
  }));
  await handle.insertInto('messages').values(rows).execute();
}

/** Puts the messages into the queue. Call it before the intent is deleted, because that deletes messages still held. */
export async function releaseMessages(handle: Handle, intentId: IntentId, voucherId: number): Promise<void> {
  await handle
    .updateTable('messages')
    .set({ state: 'waiting', intent_id: null, voucher_id: voucherId })
    .where('intent_id', '=', intentId)
    .execute();
}
