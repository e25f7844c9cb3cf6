// Counts the requests of an API key in its rate window with one statement: if several instances count at the same
// time, no request is missed or counted twice.

import { sql } from 'kysely';
import type { KeyId } from '../../domain/ids.ts';
import { WINDOW_MS } from '../../domain/keys/rate-window.ts';
import type { Database } from '../database.ts';

/** Longer than the wait for a row lock is expected to take. */
const FAR_AHEAD_MS = 10_000;

export interface CountedWindow {
  startedAtMs: number;
  counted: number;
  /** The number of these requests that exceeded the limit and were not counted. */
  refused: number;
  nowMs: number;
}

export async function countInSharedWindow(
  database: Pick<Database, 'read' | 'now'>,
  keyId: KeyId,
  { limit, requests }: { limit: number; requests: number },
): Promise<CountedWindow> {
  const now = database.now();
  // The statement reads the time before it gets the lock on the row, so another request may have opened the window
  // slightly later than that time. Only a window far ahead means that the clock was set back; that window counts as
  // over, so that requests are not refused for long.
  const isOver = sql<boolean>`(rate_windows.started_at_ms + ${sql.lit(WINDOW_MS)} <= excluded.started_at_ms
    or rate_windows.started_at_ms > excluded.started_at_ms + ${sql.lit(FAR_AHEAD_MS)})`;
  const fromEmpty = Math.min(requests, limit);
  const [all, most] = [sql.lit(requests), sql.lit(limit)];
  // If the limit was lowered in the meantime, the count may already exceed it.
  const granted = sql<number>`case when ${isOver} then ${sql.lit(fromEmpty)}
    when rate_windows.counted + ${all} <= ${most} then ${all}
    when rate_windows.counted < ${most} then ${most} - rate_windows.counted
    else 0 end`;
  const row = await database.read
    .insertInto('rate_windows')
    .values({ api_key_id: keyId, started_at_ms: now, counted: fromEmpty, refused: requests - fromEmpty })
    .onConflict((conflict) =>
      conflict.column('api_key_id').doUpdateSet({
        started_at_ms: sql`case when ${isOver} then excluded.started_at_ms else rate_windows.started_at_ms end`,
        counted: sql`case when ${isOver} then 0 else rate_windows.counted end + ${granted}`,
        refused: sql`${all} - ${granted}`,
      }),
    )
    .returning(['started_at_ms', 'counted', 'refused', now.as('now_ms')])
    .executeTakeFirstOrThrow();
  return {
    startedAtMs: row.started_at_ms,
    counted: row.counted,
    refused: row.refused,
    nowMs: row.now_ms,
  };
}
