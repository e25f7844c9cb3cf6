// Queries for the audit log. An entry says who did what to which object, and is written in the transaction of the
// action itself. Each page of a search starts after the last entry of the previous page.

import { type Expression, type SqlBool, sql } from 'kysely';
import { compileOnce, type Placeholders } from '../../platform/database/compiled-query.ts';
import type { Handle } from '../../platform/database/database.ts';
import type { SiteId } from '../ids.ts';
import { readActor, toActorText } from './actor.ts';
import { type AuditAction, readAuditDetails, toAuditText } from './audit-details.ts';
import type { AuditChunk, AuditEntry, AuditSearch } from './audit-log.ts';
import { readAuditSubject } from './audit-subject.ts';

const LOOK_BACK = 50_000;
/** The clocks of instances differ, so an entry may be older by up to this much than an entry with a lower id. */
const CLOCK_SLACK_MS = 60 * 60_000;

export function toAuditColumns({ atMs, actor, action, details, ip }: AuditEntry) {
  return {
    at_ms: atMs,
    actor: toActorText(actor),
    actor_id: actor.id,
    action,
    subject: toAuditText(action, details),
    details: JSON.stringify(details),
    address: ip ?? null,
  };
}

const insert = compileOnce((handle: Handle, columns: Placeholders<ReturnType<typeof toAuditColumns>>) =>
  handle.insertInto('audit').values(columns),
);

export async function insertAuditEntry<Action extends AuditAction>(
  handle: Handle,
  entry: AuditEntry<Action>,
): Promise<void> {
  await insert(handle, toAuditColumns(entry));
}

/** The time of the entry that was written last; undefined if there is none. */
export async function selectNewestAuditMs(handle: Handle): Promise<number | undefined> {
  const row = await handle
    .selectFrom('audit')
    .select('at_ms')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.at_ms;
}

/** Examines a limited number of entries per call, so that a filter without matches does not delay other requests. */
export async function searchAudit(handle: Handle, search: AuditSearch): Promise<AuditChunk> {
  const { limit, lookBack = LOOK_BACK, fromMs, untilMs } = search;
  const beforeId = search.beforeId ?? (await selectEndId(handle, untilMs));
  const oldestId = fromMs === undefined ? 1 : await selectFirstIdFrom(handle, fromMs - CLOCK_SLACK_MS);
  const fromId = Math.max(beforeId - lookBack, oldestId);
  let query = handle
    .selectFrom('audit')
    .select(['id', 'at_ms as atMs', 'actor', 'actor_id', 'action', 'subject', 'details', 'address'])
    .where('id', '<', beforeId)
    .where('id', '>=', fromId)
    .orderBy('id', 'desc')
    .limit(limit + 1);
  for (const condition of conditionsOf(search)) query = query.where(condition);
  const rows = await query.execute();
  const entries = rows.slice(0, limit).map(({ address: ip, actor: who, actor_id, details, ...row }) => ({
    ...row,
    actor: readActor(who, actor_id),
    details: readAuditDetails(details) ?? readAuditSubject(row.action, row.subject),
    ...(ip !== null && { ip }),
  }));
  if (rows.length > limit) return { entries, nextBeforeId: entries.at(-1)?.id ?? null };
  return { entries, nextBeforeId: fromId > oldestId ? fromId : null };
}

function conditionsOf(search: AuditSearch): Expression<SqlBool>[] {
  const { text, textActions = [], textSubjects = [], action, by, siteId, fromMs, untilMs } = search;
  const conditions: Expression<SqlBool>[] = [];
  if (fromMs !== undefined) conditions.push(sql<boolean>`at_ms >= ${fromMs}`);
  if (untilMs !== undefined) conditions.push(sql<boolean>`at_ms < ${untilMs}`);
  if (action?.endsWith('.')) conditions.push(startsWith('action', action));
  else if (action) conditions.push(sql<boolean>`action = ${action}`);
  if (text)
    conditions.push(
      anyOf([
        ...(['subject', 'action', 'actor', 'address'] as const).map((column) => contains(column, text)),
        ...textActions.map((one) => sql<boolean>`action = ${one}`),
        ...textSubjects.map((one) => startsWith('subject', one)),
      ]),
    );
  if (by) conditions.push(isBy(by));
  if (siteId !== undefined) conditions.push(isAboutSite(siteId));
  return conditions;
}

/** A name cannot match by chance: the text searched in `details` has quotation marks, which JSON escapes in names. */
function isAboutSite(siteId: SiteId): Expression<SqlBool> {
  const inText = [
    contains('subject', `site ${siteId} (`),
    sql<boolean>`(action = 'slip.changed' and ${startsWith('subject', `${siteId}: `)})`,
    sql<boolean>`(action in ('image.saved', 'image.removed') and subject = ${`site-${siteId}`})`,
  ];
  // `replace` finds the exact text on both engines, and is faster than `like`.
  return inDetailsOr(inText, sql<boolean>`replace(details, ${`"site":{"id":"${siteId}",`}, '') <> details`);
}

/** Finds entries by the actor, and about the actor. Entries of early releases have no actor id: the name must match. */
function isBy({ kind, id, name, email }: NonNullable<AuditSearch['by']>): Expression<SqlBool> {
  const actor = toActorText({ kind, name });
  const inText = [
    ...(kind === 'user'
      ? [startsWith('subject', `user ${id} (`)]
      : [startsWith('subject', `${id}: `), sql<boolean>`subject = ${id}`]),
    ...(email === undefined ? [] : [sql<boolean>`subject = ${email}`]),
  ];
  return anyOf([
    sql<boolean>`(actor_id = ${id} and ${startsWith('actor', toActorText({ kind, name: '' }))})`,
    sql<boolean>`(actor_id is null and actor = ${actor})`,
    inDetailsOr(inText, startsWith('details', `{"${kind}":{"id":${JSON.stringify(id)},`)),
  ]);
}

/** Entries of earlier releases have no details, so one of the conditions `inText` must apply to them. */
function inDetailsOr(inText: Expression<SqlBool>[], inDetails: Expression<SqlBool>): Expression<SqlBool> {
  return sql<boolean>`(${inDetails} or (details is null and ${anyOf(inText)}))`;
}

function anyOf(conditions: Expression<SqlBool>[]): Expression<SqlBool> {
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

function startsWith(column: 'actor' | 'action' | 'subject' | 'details', start: string): Expression<SqlBool> {
  return sql<boolean>`substr(${sql.ref(column)}, 1, ${[...start].length}) = ${start}`;
}

/** An id that is higher than the ids of all entries before `untilMs`. */
async function selectEndId(handle: Handle, untilMs: number | undefined): Promise<number> {
  const latest = (await selectLatestId(handle)) + 1;
  if (untilMs === undefined) return latest;
  return Math.min(latest, await selectFirstIdFrom(handle, untilMs + CLOCK_SLACK_MS));
}

/** The lowest id of the entries from `atMs` on. Ids rise with time, so a binary search by id finds it. */
async function selectFirstIdFrom(handle: Handle, atMs: number): Promise<number> {
  let [low, high] = [1, (await selectLatestId(handle)) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = await handle
      .selectFrom('audit')
      .select(['id', 'at_ms'])
      .where('id', '>=', middle)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (row && row.at_ms < atMs) low = row.id + 1;
    else high = middle;
  }
  return low;
}

async function selectLatestId(handle: Handle): Promise<number> {
  const row = await handle.selectFrom('audit').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.id ?? 0;
}

/**
 * Ignores case. SQLite's `lower` changes only ASCII letters. So on SQLite, a letter such as Ä is found only if it is
 * stored in lower case or typed as stored.
 */
function contains(column: 'actor' | 'action' | 'subject' | 'address', text: string): Expression<SqlBool> {
  const part = (wanted: string) => `%${wanted.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
  const name = sql.ref(column);
  return sql<boolean>`(lower(${name}) like ${part(text.toLowerCase())} escape '\\' or ${name} like ${part(text)} escape '\\')`;
}
