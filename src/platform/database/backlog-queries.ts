// Queries for the metrics of pending work: how many items wait, and how old the oldest item is.

import { type RawBuilder, sql } from 'kysely';
import type { Backlog, Backlogs } from './backlogs.ts';
import type { Database } from './database.ts';

export function makeReadBacklogs({ read, now }: Pick<Database, 'read' | 'now'>) {
  const backlog = async (
    table: 'outbox' | 'intents' | 'messages' | 'bulk_revocations' | 'vouchers',
    since: RawBuilder<number | null>,
    isWaiting: RawBuilder<boolean> = sql`1 = 1`,
  ): Promise<Backlog> => {
    const { rows } = await sql<{ count: number; oldest_ms: number | null }>`select count(${since}) as count,
      ${now()} - min(${since}) as oldest_ms
      from ${sql.table(table)} where ${isWaiting}`.execute(read);
    const [{ count, oldest_ms } = { count: 0, oldest_ms: null }] = rows;
    return { count, oldestMs: oldest_ms ?? 0 };
  };

  const created = sql<number>`created_at_ms`;
  // Deliveries to a webhook that is switched off wait on purpose, so they do not count.
  const due = sql<
    number | null
  >`case when recipient_id in (select id from webhooks where active = 1) then occurred_at_ms end`;
  const ends = sql<number>`ends_at_s * 1000`;
  // Vouchers of sites that are switched off are not deleted. `+ 0` makes the engines use the index `vouchers_ending`.
  const isEnded = sql<boolean>`ended_at_s is null and ends_at_s <= ${now()} / 1000
    and site_id + 0 in (select id from sites where active = 1)`;
  return async (): Promise<Backlogs> => ({
    outbox: await backlog('outbox', created),
    intents: await backlog('intents', created),
    deliveries: await backlog('messages', due, sql`channel = 'webhook' and state in ('waiting', 'sending')`),
    // Mails that wait because e-mail is not set up count, too.
    mails: await backlog(
      'messages',
      sql<number>`occurred_at_ms`,
      sql`channel = 'mail' and state in ('waiting', 'sending')`,
    ),
    revocations: await backlog('bulk_revocations', created, sql`ended_at_ms is null`),
    endedVouchers: await backlog('vouchers', ends, isEnded),
  });
}
