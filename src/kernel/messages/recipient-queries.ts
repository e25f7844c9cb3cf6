// The recipients of a channel: which of them may get messages, and what an attempt changes for them. If the recipients
// of a channel have a table of their own, their pauses are stored there.

import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../../platform/database/database.ts';
import type { Verdict } from './message.ts';
import { pauseFor } from './pause-columns.ts';

export interface Recipients {
  /**
   * A subquery with the columns `recipient_id`, `failures`, `due_at_ms` and `paused_at_ms` of the recipients that may
   * get messages of this channel. If only the row of one recipient is needed, `only` is its id.
   */
  ready(channel: string, only?: RawBuilder<unknown>): RawBuilder<unknown>;
  /** Records an attempt whose outcome concerns the recipient, not only the message. */
  noteAttempt(transaction: Handle, to: To, verdict: Verdict): Promise<void>;
}

interface To {
  channel: string;
  recipientId: number;
  /** The recipient's failures in a row when the message was read. */
  failures: number;
  now: RawBuilder<number>;
}

export const plainRecipients: Recipients = {
  ready: (channel, only) => sql`(
    select waiting.recipient_id, coalesce(failures, 0) as failures, coalesce(known.due_at_ms, 0) as due_at_ms,
      known.paused_at_ms
    from (
      select distinct recipient_id from messages where channel = ${channel} and state in ('waiting', 'sending')
        ${only ? sql`and recipient_id = ${only}` : sql``}
    ) as waiting
    left join message_recipients as known on known.channel = ${channel} and known.recipient_id = waiting.recipient_id
  )`,
  async noteAttempt(transaction, { channel, recipientId, now }, { failed, pauseMs }) {
    const pause = pauseFor(pauseMs, now);
    await transaction
      .insertInto('message_recipients')
      .values({ channel, recipient_id: recipientId, failures: failed ? 1 : 0, ...pause })
      .onConflict((conflict) =>
        conflict.columns(['channel', 'recipient_id']).doUpdateSet((eb) => ({
          failures: failed ? eb('message_recipients.failures', '+', 1) : 0,
          ...pause,
        })),
      )
      .execute();
  },
};
