// Counts the messages that one actor has ordered, also within the transaction that stores further ones.

import { MAIL_CHANNEL } from '../../features/mail/mail.ts';
import type { Database, Handle } from '../../platform/database/database.ts';
import type { HeldMessage } from './message.ts';
import { findTooMany, type OrderCounts, type TooManyOrdered } from './order-limit.ts';

const HOUR_MS = 60 * 60_000;

export function makeOrderCounts(handle: Handle): OrderCounts {
  return {
    async countOrdered(orderedBy, sinceMs) {
      const { count } = await orderedSince(handle, orderedBy, sinceMs)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async findOrderedAt(orderedBy, sinceMs, index) {
      const row = await orderedSince(handle, orderedBy, sinceMs)
        .select('occurred_at_ms')
        .orderBy('occurred_at_ms')
        .offset(index)
        .limit(1)
        .executeTakeFirst();
      return row?.occurred_at_ms;
    },
  };
}

/**
 * Undefined if `count` of each of these messages may be ordered. Makes other transactions with messages of the same
 * actor wait until this one ends. Call it before rows are locked.
 */
export async function findTooManyOf(
  messages: readonly HeldMessage[],
  count: number,
  { transaction, holdName }: Pick<Database, 'holdName'> & { transaction: Handle },
): Promise<TooManyOrdered | undefined> {
  for (const { channel, orderedBy: by, occurredAtMs: nowMs } of messages) {
    if (by === undefined) continue;
    await holdName(transaction, by);
    const kind = channel === MAIL_CHANNEL.name ? 'too-many-mails' : 'too-many-slips';
    const tooMany = await findTooMany(makeOrderCounts(transaction), { kind, by }, { count, nowMs });
    if (tooMany) return tooMany;
  }
  return undefined;
}

function orderedSince(handle: Handle, orderedBy: string, sinceMs: number) {
  return (
    handle
      .selectFrom('messages')
      .where('ordered_by', '=', orderedBy)
      .where('occurred_at_ms', '>=', sinceMs)
      // A message dated even later was ordered while the clock was ahead. It would count until that time.
      .where('occurred_at_ms', '<', sinceMs + 2 * HOUR_MS)
  );
}
