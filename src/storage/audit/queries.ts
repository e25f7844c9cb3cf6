// Queries for the audit log. An entry says who did what to which object, and is written in the transaction of the
// action itself. Each page of a search starts after the last entry of the previous page.

import { type Expression, type SqlBool, sql } from 'kysely';
import { readActor, toActorText } from '../../domain/audit/actor.ts';
import type { AuditEntry, AuditPage, AuditSearch } from '../../domain/audit/audit-log.ts';
import type { Handle } from '../database.ts';

export type { AuditEntry };

const LOOK_BACK = 50_000;

/** A site in an audit entry: its id, which never changes, and its name at that time. */
export function siteInAudit(id: number, name: string): string {
  return `site ${id} (${name})`;
}

/** A user in an audit entry: the id, which never changes, and the e-mail address at that time. */
export function userInAudit({ id, email }: { id: number; email: string }): string {
  return `user ${id} (${email})`;
}

export async function insertAuditEntry(handle: Handle, entry: AuditEntry): Promise<void> {
  const { atMs, actor, action, subject, ip = null } = entry;
  const who = { actor: toActorText(actor), actor_id: actor.id };
  await handle
    .insertInto('audit')
    .values({ at_ms: atMs, ...who, action, subject, address: ip })
    .execute();
}

/** Examines a limited number of entries per call: a filter that matches no entry must not delay other requests. */
export async function searchAudit(handle: Handle, search: AuditSearch): Promise<AuditPage> {
  const { text, actor, action, limit, lookBack = LOOK_BACK } = search;
  const beforeId = search.beforeId ?? (await selectLatestId(handle)) + 1;
  const fromId = beforeId - lookBack;
  let query = handle
    .selectFrom('audit')
    .select(['id', 'at_ms as atMs', 'actor', 'actor_id', 'action', 'subject', 'address'])
    .where('id', '<', beforeId)
    .where('id', '>=', fromId)
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (action) query = query.where('action', '=', action);
  if (actor) query = query.where(contains('actor', actor));
  if (text)
    query = query.where((eb) =>
      eb.or([contains('subject', text), contains('action', text), contains('address', text)]),
    );
  const rows = await query.execute();
  const entries = rows.slice(0, limit).map(({ address: ip, actor: who, actor_id, ...row }) => ({
    ...row,
    actor: readActor(who, actor_id),
    ...(ip !== null && { ip }),
  }));
  if (rows.length > limit) return { entries, nextBeforeId: entries.at(-1)?.id ?? null };
  return { entries, nextBeforeId: fromId > 1 ? fromId : null };
}

async function selectLatestId(handle: Handle): Promise<number> {
  const row = await handle.selectFrom('audit').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.id ?? 0;
}

/**
 * Ignores case. SQLite's `lower` changes only ASCII letters: on SQLite, any other letter must be stored in lower case
 * or be typed as stored.
 */
function contains(column: 'actor' | 'action' | 'subject' | 'address', text: string): Expression<SqlBool> {
  const part = (wanted: string) => `%${wanted.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
  const name = sql.ref(column);
  return sql<boolean>`(lower(${name}) like ${part(text.toLowerCase())} escape '\\' or ${name} like ${part(text)} escape '\\')`;
}
