// Queries for the number of mails per hour. Each mail of the last hour has one row, a slot.

import type { RawBuilder } from 'kysely';
import type { Handle } from '../../platform/database/database.ts';
import { MAIL_SERVER } from './mail-recipient-queries.ts';

const HOUR_MS = 60 * 60_000;

/** Returns 0 if a slot was taken, or else the time until one is free. */
export async function takeMailSlot(
  transaction: Handle,
  perHour: number,
  now: RawBuilder<number>,
): Promise<number> {
  const nowMs = await lockSlots(transaction, now);
  await deleteOldSlots(transaction, nowMs);
  const taken = await transaction
    .selectFrom('mail_slots')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const tooMany = Number(taken.count) - perHour;
  if (tooMany < 0) {
    await transaction.insertInto('mail_slots').values({ at_ms: nowMs }).execute();
    return 0;
  }
  const next = await transaction
    .selectFrom('mail_slots')
    .select('at_ms')
    .orderBy('at_ms')
    .offset(tooMany)
    .limit(1)
    .executeTakeFirst();
  return next ? Math.max(1, next.at_ms + HOUR_MS - nowMs) : HOUR_MS;
}

/** Locks the row of the server until the transaction ends, so that no two instances take the last slot. */
async function lockSlots(transaction: Handle, now: RawBuilder<number>): Promise<number> {
  const { now_ms } = await transaction
    .insertInto('message_recipients')
    .values({ ...MAIL_SERVER, failures: 0, due_at_ms: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['channel', 'recipient_id'])
        .doUpdateSet((eb) => ({ failures: eb.ref('message_recipients.failures') })),
    )
    .returning(now.as('now_ms'))
    .executeTakeFirstOrThrow();
  return now_ms;
}

/** If a slot was taken in the future, the clock was set back, and the slot is deleted, too. */
async function deleteOldSlots(transaction: Handle, nowMs: number): Promise<void> {
  await transaction
    .deleteFrom('mail_slots')
    .where((eb) => eb.or([eb('at_ms', '<=', nowMs - HOUR_MS), eb('at_ms', '>', nowMs)]))
    .execute();
}
