// The mail server as a recipient of messages. Mails wait in several lanes, which are sent in parallel. Failures and the
// pause belong to the server, so they are stored once, for recipient 0.

import { sql } from 'kysely';
import { firstDueOf } from '../../kernel/messages/message-queries.ts';
import { pauseFor } from '../../kernel/messages/pause-columns.ts';
import type { Recipients } from '../../kernel/messages/recipient-queries.ts';
import type { Database, Handle } from '../../platform/database/database.ts';
import { ACCOUNT_LANE, MAIL_CHANNEL } from './mail.ts';

/** The server's row in `message_recipients`. */
export const MAIL_SERVER = { channel: MAIL_CHANNEL.name, recipient_id: 0 };

const LANES = sql.join(
  Array.from({ length: ACCOUNT_LANE }, (_, index) => sql`select ${sql.lit(index + 1)} as recipient_id`),
  sql` union all `,
);

export function makeMailRecipients({ now }: Pick<Database, 'now'>): Recipients {
  return {
    ready() {
      // While the server fails, only one lane sends, so that a dead server gets one mail at a time.
      const firstDueLane = sql`(select min(recipient_id) from (${LANES}) as others
        where ${firstDueOf(MAIL_CHANNEL, sql.ref('others.recipient_id'), now())} is not null)`;
      return sql`(
        select lanes.recipient_id, coalesce(failures, 0) as failures, coalesce(server.due_at_ms, 0) as due_at_ms,
          server.paused_at_ms
        from (${LANES}) as lanes
        left join message_recipients as server
          on server.channel = ${MAIL_SERVER.channel} and server.recipient_id = ${MAIL_SERVER.recipient_id}
        where coalesce(failures, 0) = 0 or lanes.recipient_id = ${firstDueLane}
      )`;
    },
    noteAttempt: (transaction, { failures, now }, { failed, pauseMs }) =>
      failed ? noteFailure(transaction, failures, pauseFor(pauseMs, now)) : endServerPause(transaction),
  };
}

/**
 * When the server begins to fail, several lanes notice it. Only the first of them counts. A failure from before the
 * server was set up anew does not count: it would make the mails wait for as long as the previous server failed.
 */
async function noteFailure(
  transaction: Handle,
  failures: number,
  pause: ReturnType<typeof pauseFor>,
): Promise<void> {
  if (failures === 0)
    await transaction
      .insertInto('message_recipients')
      .values({ ...MAIL_SERVER, failures: 0, due_at_ms: 0 })
      .onConflict((conflict) => conflict.columns(['channel', 'recipient_id']).doNothing())
      .execute();
  await transaction
    .updateTable('message_recipients')
    .set({ failures: failures + 1, ...pause })
    .where('channel', '=', MAIL_SERVER.channel)
    .where('recipient_id', '=', MAIL_SERVER.recipient_id)
    .where('failures', '=', failures)
    .execute();
}

/** For a server that was set up anew or has answered. */
export async function endServerPause(transaction: Handle): Promise<void> {
  await updateServer(transaction, { failures: 0, due_at_ms: 0 });
}

/** Ends the pause. The failures stay, so still only one lane sends until the server works. */
export async function makeServerDue(transaction: Handle): Promise<void> {
  await updateServer(transaction, { due_at_ms: 0 });
}

/** Does not wait for the row's lock while the server works. */
async function updateServer(
  transaction: Handle,
  change: { failures?: number; due_at_ms: number },
): Promise<void> {
  await transaction
    .updateTable('message_recipients')
    .set(change)
    .where('channel', '=', MAIL_SERVER.channel)
    .where('recipient_id', '=', MAIL_SERVER.recipient_id)
    .where('failures', '>', 0)
    .execute();
}
