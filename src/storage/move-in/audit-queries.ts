// Writes the audit entries of another tool before the existing ones: the audit log finds days by the order of ids. The
// existing entries get higher ids.

import { sql } from 'kysely';
import { serviceActor, userActor } from '../../domain/audit/actor.ts';
import type { AuditEntry } from '../../domain/audit/audit-log.ts';
import type { MovedInData } from '../../domain/move-in/moved-in-data.ts';
import { toAuditColumns } from '../audit/queries.ts';
import type { Handle } from '../database.ts';
import { examineAllAgain } from '../privacy/shorten-ips.ts';
import { highestId } from '../tables/id-counters.ts';
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
  let nextId = (await shiftEntries(handle, count)) - count + 1;
  await examineAllAgain(handle);
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

/** Makes room for `count` entries. Returns the id before the first existing entry. No new id equals an old one. */
async function shiftEntries(handle: Handle, count: number): Promise<number> {
  const by = Math.max(count, await highestId(handle, 'audit'));
  await sql`update audit set id = id + ${by}`.execute(handle);
  return by;
}

/** For PostgreSQL: a running service must not write an entry or a site whose id this transaction uses. */
export async function holdNewIds(handle: Handle): Promise<void> {
  await sql`lock table audit, sites in share row exclusive mode`.execute(handle);
}

/** With an id of its own, because the next id of PostgreSQL does not follow the moved entries yet. */
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

/** PostgreSQL does not notice ids that a statement chose itself. */
export async function continueIdsAfterInsert(handle: Handle, tables: ('sites' | 'audit')[]): Promise<void> {
  for (const table of tables)
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), greatest(
      (select coalesce(max(id), 1) from ${sql.table(table)}),
      nextval(pg_get_serial_sequence(${table}, 'id'))))`.execute(handle);
}
