// Counts one request of a key in its window, in one statement: however many instances count at once, no
// request is missed and none is counted twice.

import { sql } from 'kysely';
import type { KeyId } from '../domain/ids.ts';
import { WINDOW_MS } from '../domain/keys/rate-window.ts';
import type { Database } from './database.ts';

/** Nobody waits longer than this for a row. */
const FAR_AHEAD_MS = 10_000;

export interface CountedWindow {
  startedAtMs: number;
  counted: number;
  /** This request was one too many, and was not counted. */
  refused: boolean;
  nowMs: number;
}

export async function countInSharedWindow(
  database: Pick<Database, 'read' | 'now'>,
  keyId: KeyId,
  limit: number,
): Promise<CountedWindow> {
  const now = database.now();
  // The time is read before the row can be had: others may have opened the window a little later than that.
  // Only a window far ahead tells that the clock was set back, which must not keep anybody out for long.
  const isOver = sql<boolean>`(rate_windows.started_at_ms + ${sql.lit(WINDOW_MS)} <= excluded.started_at_ms
    or rate_windows.started_at_ms > excluded.started_at_ms + ${sql.lit(FAR_AHEAD_MS)})`;
  const isFull = sql<boolean>`rate_windows.counted >= ${limit}`;
  const row = await database.read
    .insertInto('rate_windows')
    .values({ api_key_id: keyId, started_at_ms: now, counted: 1, refused: 0 })
    .onConflict((conflict) =>
      conflict.column('api_key_id').doUpdateSet({
        started_at_ms: sql`case when ${isOver} then excluded.started_at_ms else rate_windows.started_at_ms end`,
        counted: sql`case when ${isOver} then 1 when ${isFull} then rate_windows.counted else rate_windows.counted + 1 end`,
        refused: sql`case when ${isOver} then 0 when ${isFull} then 1 else 0 end`,
      }),
    )
    .returning(['started_at_ms', 'counted', 'refused', now.as('now_ms')])
    .executeTakeFirstOrThrow();
  return {
    startedAtMs: row.started_at_ms,
    counted: row.counted,
    refused: row.refused === 1,
    nowMs: row.now_ms,
  };
}
