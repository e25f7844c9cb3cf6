// Writes the audit entries of another tool. They get lower ids than the existing entries, because the audit log expects
// ids to rise with time. The existing entries get higher ids to make room.

import { sql } from 'kysely';
import { serviceActor, userActor } from '../../../kernel/audit/actor.ts';
import type { AuditEntry } from '../../../kernel/audit/audit-log.ts';
import { toAuditColumns } from '../../../kernel/audit/audit-queries.ts';
import { examineAllAgain } from '../../../kernel/privacy/shorten-ips-store.ts';
import type { Handle } from '../../../platform/database/database.ts';
import { highestId } from '../../../platform/database/tables/id-counters.ts';
import type { MovedInData } from '../moved-in-data.ts';
import type { KnownUsers } from './user-queries.ts';

const ENTRIES_PER_INSERT = 100;

interface Input {
  data: Pick<MovedInData, 'found' | 'entries'>;
  users: KnownUsers;
  atMs: number;
}

/** Returns the number of entries written. */
export async function insertEntries(handle: Handle, { data, users, atMs }: Input): Promise<number> {
  const count = data.found.audit_log;
  if (count === 0) return 0;
  await examineAllAgain(handle);
  let nextId = (await shiftEntries(handle, count)) - count + 1;
  let inserted = 0;
  for await (const entries of data.entries())
    for (let start = 0; start < entries.length; start += ENTRIES_PER_INSERT) {
      const rows = entries.slice(start, start + ENTRIES_PER_INSERT).map((entry) => {
        const by = entry.userId === null ? undefined : users.get(entry.userId);
        return {
          id: nextId++,
          ...toAuditColumns({
            atMs: entry.atMs ?? atMs,
            actor: by ? userActor(by) : serviceActor('Unifi-Voucher-Tool'),
            action: 'imported.entry',
            details: { name: entry.text },
            ...(entry.ip !== null && { ip: entry.ip }),
          }),
        };
      });
      await handle.insertInto('audit').values(rows).execute();
      inserted += rows.length;
    }
  return inserted;
}

/**
 * Makes room for `count` entries by raising the ids of the existing entries. Returns an id below all raised ids. No
 * raised id equals an id from before, because two entries must not have the same id during the update.
 */
async function shiftEntries(handle: Handle, count: number): Promise<number> {
  const by = Math.max(count, await highestId(handle, 'audit'));
  await sql`update audit set id = id + ${by}`.execute(handle);
  return by;
}

/** For PostgreSQL: keeps a running service from writing an entry or a site with an id that this transaction uses. */
export async function holdNewIds(handle: Handle): Promise<void> {
  await sql`lock table audit, sites in share row exclusive mode`.execute(handle);
}

/** Sets the id itself, because PostgreSQL's sequence does not continue after the moved entries yet. */
export async function insertLastEntry(
  handle: Handle,
  entry: AuditEntry<'installation.moved-in'>,
): Promise<void> {
  const id = (await highestId(handle, 'audit')) + 1;
  await handle
    .insertInto('audit')
    .values({ id, ...toAuditColumns(entry) })
    .execute();
}

/** PostgreSQL's sequences ignore ids that were inserted explicitly, so they are set to the highest id. */
export async function continueIdsAfterInsert(handle: Handle, tables: ('sites' | 'audit')[]): Promise<void> {
  for (const table of tables)
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), greatest(
      (select coalesce(max(id), 1) from ${sql.table(table)}),
      nextval(pg_get_serial_sequence(${table}, 'id'))))`.execute(handle);
}
