// Queries for held messages, which are stored with a voucher order and sent once the voucher is recorded. If the order
// is abandoned, a foreign key deletes its messages together with its intent.

import type { Handle } from '../../platform/database/database.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import type { IntentId } from '../ids.ts';
import type { HeldMessage } from './message.ts';
import { toSealedColumns } from './message-queries.ts';

export type SealedMessage = Awaited<ReturnType<typeof toSealedColumns>>;

/** Call it before locking or changing an existing row: see `Seal`. */
export async function sealMessages(
  transaction: Handle,
  seal: Seal,
  messages: readonly HeldMessage[],
): Promise<SealedMessage[]> {
  const sealed: SealedMessage[] = [];
  for (const message of messages) sealed.push(await toSealedColumns(transaction, seal, message));
  return sealed;
}

export async function insertHeldMessages(
  transaction: Handle,
  intentId: IntentId,
  messages: readonly SealedMessage[],
): Promise<void> {
  for (const columns of messages) {
    await transaction
      .insertInto('messages')
      .values({ ...columns, state: 'held', intent_id: intentId })
      .execute();
  }
}

/** For a voucher that exists already: the messages need not wait. */
export async function insertReadyMessages(
  transaction: Handle,
  voucherId: number,
  messages: readonly SealedMessage[],
): Promise<void> {
  for (const columns of messages) {
    await transaction
      .insertInto('messages')
      .values({ ...columns, state: 'waiting', voucher_id: voucherId })
      .execute();
  }
}

/** Puts the messages into the queue. Call it before the intent is deleted, because that deletes messages still held. */
export async function releaseMessages(handle: Handle, intentId: IntentId, voucherId: number): Promise<void> {
  await handle
    .updateTable('messages')
    .set({ state: 'waiting', intent_id: null, voucher_id: voucherId })
    .where('intent_id', '=', intentId)
    .execute();
}
