// Queries for the attempts to send a message, as a log shows them.

import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../../platform/database/database.ts';
import type { MessageId } from '../ids.ts';
import type { Attempt, ChannelRules } from './message.ts';

/** A message that waits for its recipient for days has many attempts. */
const LISTED_ATTEMPTS = 50;

/** The newest attempts, oldest first. */
export async function selectLastAttempts(
  handle: Handle,
  { name }: Pick<ChannelRules, 'name'>,
  id: MessageId,
): Promise<(Attempt & { atMs: number })[]> {
  const rows = await handle
    .selectFrom('message_attempts')
    .innerJoin('messages', 'messages.id', 'message_attempts.message_id')
    .selectAll('message_attempts')
    .where('message_id', '=', id)
    .where('messages.channel', '=', name)
    .orderBy('message_attempts.id', 'desc')
    .limit(LISTED_ATTEMPTS)
    .execute();
  return rows.toReversed().map(({ at_ms, duration_ms, status, error, answer }) => ({
    atMs: at_ms,
    durationMs: duration_ms,
    status,
    error,
    response: answer,
  }));
}

/** A subquery with this column of the last attempt to send a message; null before the first attempt. */
export function lastAttempt(column: 'error' | 'answer'): RawBuilder<string | null> {
  return sql<string | null>`(select ${sql.ref(column)} from message_attempts
    where message_attempts.message_id = messages.id order by message_attempts.id desc limit 1)`;
}
