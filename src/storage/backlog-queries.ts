// Queries for the metrics of everything that waits: how much there is, and the age of the oldest.

import { type RawBuilder, sql } from 'kysely';
import type { Backlog, Backlogs } from '../domain/backlogs.ts';
import type { Database } from './database.ts';
import { IS_WAITING } from './webhooks/delivery-queries.ts';

export function makeReadBacklogs({ read, now }: Pick<Database, 'read' | 'now'>) {
  const backlog = async (
    table: 'outbox' | 'intents' | 'deliveries' | 'bulk_revocations',
    since: string,
    isWaiting: RawBuilder<boolean> = sql`1 = 1`,
  ): Promise<Backlog> => {
    const { rows } = await sql<{ count: number; oldest_ms: number | null }>`select count(*) as count,
      ${now()} - min(${sql.ref(since)}) as oldest_ms
      from ${sql.table(table)} where ${isWaiting}`.execute(read);
    const [{ count, oldest_ms } = { count: 0, oldest_ms: null }] = rows;
    // Negative if the clock was set back.
    return { count, oldestMs: Math.max(0, oldest_ms ?? 0) };
  };

  return async (): Promise<Backlogs> => ({
    outbox: await backlog('outbox', 'created_at_ms'),
    intents: await backlog('intents', 'created_at_ms'),
    deliveries: await backlog('deliveries', 'occurred_at_ms', IS_WAITING),
    revocations: await backlog('bulk_revocations', 'created_at_ms', sql`ended_at_ms is null`),
  });
}
