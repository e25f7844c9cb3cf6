// Reads the newest date of what this installation has recorded. If it lies in the future, the clock was set back.

import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { IS_QUEUED } from '../messages/message-queries.ts';

/** How many audit entries are read: after the clock was set back, the last entry does not have the newest date. */
const AUDIT_ENTRIES = 1_000;

export interface NewestDate {
  atMs: number;
  /** By the clock of the database. Negative if the date lies in the past. */
  aheadMs: number;
}

/**
 * Undefined for a new installation. Reads only indexes, small tables and the last entries of the audit log. Leaves the
 * dates of vouchers out: they may come from the clock of a controller, and each creation has an audit entry.
 */
export function makeReadNewestDate({ read, now }: Pick<Database, 'read' | 'now'>) {
  return async (): Promise<NewestDate | undefined> => {
    const { rows } = await sql<{ at_ms: number | null; ahead_ms: number }>`
      select max(at_ms) as at_ms, max(at_ms) - ${now()} as ahead_ms from (
        select max(at_ms) as at_ms
          from (select at_ms from audit order by id desc limit ${sql.lit(AUDIT_ENTRIES)}) as entries
        union all select max(created_at_ms) from idempotent_answers
        union all select max(created_at_ms) from intents
        union all select max(created_at_ms) from outbox
        union all select max(seen_at_ms) from web_sessions
        union all select max(occurred_at_ms) from messages where ${IS_QUEUED}
        union all select max(finished_at_ms) from messages where finished_at_ms is not null
      ) as dates`.execute(read);
    const [row] = rows;
    return row?.at_ms == null ? undefined : { atMs: row.at_ms, aheadMs: row.ahead_ms };
  };
}
