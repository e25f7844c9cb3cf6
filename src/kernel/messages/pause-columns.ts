// Pauses of messages and of their recipients, by the clock of the database. The beginning and the end of a pause are
// stored.

import { type RawBuilder, sql } from 'kysely';

/** Longer than any pause. Needed for pauses that an earlier release has stored, without their beginning. */
const FAR_AHEAD_MS = 48 * 60 * 60_000;

/** The columns of a pause that has begun now. */
export const pauseFor = (pauseMs: number, now: RawBuilder<number>) => ({
  due_at_ms: sql<number>`${now} + ${Math.round(pauseMs)}`,
  paused_at_ms: now,
});

/** Whether the pause is over, and whether it is ignored because the clock was set back: then it began in the future. */
export function dueCases(table: 'messages' | 'ready', now: RawBuilder<number>) {
  const [dueAtMs, pausedAtMs] = [sql.ref(`${table}.due_at_ms`), sql.ref(`${table}.paused_at_ms`)];
  // The subquery reads the clock once. Otherwise PostgreSQL would read the clock for every waiting message. If a pause
  // ended between two reads, a later message could overtake an earlier one.
  const once = sql<number>`(select ${now})`;
  return [
    sql<boolean>`${dueAtMs} <= ${once}`,
    sql<boolean>`${pausedAtMs} > ${once}`,
    sql<boolean>`${dueAtMs} > ${once} + ${sql.lit(FAR_AHEAD_MS)}`,
  ] as const;
}

export function isDue(table: 'messages' | 'ready', now: RawBuilder<number>): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(dueCases(table, now), sql` or `)})`;
}
