// Queries for print jobs, which are messages of the queue.

import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import {
  asMessageId,
  asPrinterId,
  asSiteId,
  asVoucherId,
  type MessageId,
  type PrinterId,
  type VoucherId,
} from '../../kernel/ids.ts';
import { lastAttempt } from '../../kernel/messages/attempt-queries.ts';
import { MESSAGE_STATES, type MessageState } from '../../kernel/messages/message.ts';
import { IS_QUEUED } from '../../kernel/messages/message-queries.ts';
import type { Database, Handle } from '../../platform/database/database.ts';
import { readJson } from '../../platform/database/read-json.ts';
import type { Tables } from '../../platform/database/schema.ts';
import { readKnown } from '../../platform/values/unknown-value.ts';
import {
  type LoggedPrintJob,
  PRINT_JOB_KINDS,
  PRINTER_CHANNEL,
  type PrintJobSearch,
  type PrintJobState,
  readPrintJobFacts,
  UNCONFIRMED,
} from './print-job.ts';

type ListOf = Database['listOf'];

const channel = sql.lit(PRINTER_CHANNEL.name);
const isJob = sql<boolean>`messages.channel = ${channel}`;
/** `|| ''` keeps SQLite from using the index by recipient, which would read and sort all jobs. */
const isAnyJob = sql<boolean>`messages.channel || '' = ${channel}`;

export async function selectJobs(
  handle: Handle,
  listOf: ListOf,
  { limit, siteIds, printerId, voucherId, id, beforeId }: PrintJobSearch,
): Promise<LoggedPrintJob[]> {
  const conditions = [
    printerId === undefined ? isAnyJob : sql<boolean>`${isJob} and messages.recipient_id = ${printerId}`,
    siteIds && sql<boolean>`${SITE_ID} in ${listOf(siteIds)}`,
    voucherId !== undefined && sql<boolean>`messages.voucher_id = ${voucherId}`,
    id !== undefined && sql<boolean>`messages.id = ${id}`,
    beforeId !== undefined && sql<boolean>`messages.id < ${beforeId}`,
  ].filter((condition) => condition !== undefined && condition !== false);
  const rows = await conditions
    .reduce((query, condition) => query.where(condition), logged(handle))
    .orderBy('messages.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toJob);
}

export async function selectNewestJobs(
  handle: Handle,
  listOf: ListOf,
  voucherIds: VoucherId[],
): Promise<Map<VoucherId, LoggedPrintJob>> {
  if (voucherIds.length === 0) return new Map();
  const newest = sql<SqlBool>`messages.id in (select max(id) from messages
    where ${isAnyJob} and voucher_id in ${listOf(voucherIds)} group by voucher_id)`;
  const rows = await logged(handle).where(newest).execute();
  const jobs = rows.map(toJob);
  return new Map(jobs.flatMap((job) => (job.voucherId === null ? [] : [[job.voucherId, job] as const])));
}

const SITE_ID = sql<number | null>`coalesce(vouchers.site_id, intents.site_id, printers.site_id)`;

function logged(handle: Handle) {
  return handle
    .selectFrom('messages')
    .leftJoin('vouchers', 'vouchers.id', 'messages.voucher_id')
    .leftJoin('intents', 'intents.id', 'messages.intent_id')
    .leftJoin('printers', 'printers.id', 'messages.recipient_id')
    .selectAll('messages')
    .select([
      SITE_ID.as('site_id'),
      'printers.name as printer_name',
      lastAttempt('error').as('last_error'),
      lastAttempt('answer').as('last_response'),
    ]);
}

type LoggedRow =
  ReturnType<typeof logged> extends SelectQueryBuilder<Tables, 'messages', infer Row> ? Row : never;

function toJob(row: LoggedRow): LoggedPrintJob {
  const facts = readPrintJobFacts(readJson(row.payload));
  return {
    id: asMessageId(row.id),
    kind: readKnown(PRINT_JOB_KINDS, row.kind),
    printerId: asPrinterId(row.recipient_id),
    printerName: row.printer_name ?? facts?.printer ?? '',
    siteId: row.site_id === null ? null : asSiteId(row.site_id),
    voucherId: row.voucher_id === null ? null : asVoucherId(row.voucher_id),
    state: toJobState(readKnown(MESSAGE_STATES, row.state)),
    isCopy: facts?.isCopy === true,
    isConfirmed: row.last_response !== UNCONFIRMED,
    lastError: row.last_error,
    createdAtMs: row.occurred_at_ms,
    finishedAtMs: row.finished_at_ms,
  };
}

function toJobState(state: MessageState | 'unknown'): PrintJobState {
  if (state === 'held' || state === 'waiting') return 'queued';
  if (state === 'done') return 'printed';
  return state === 'uncertain' || state === 'merged' ? 'unknown' : state;
}

/** Reads the messages that have ended since then, by the index on their age. */
export async function countFailedJobs(handle: Handle, sinceMs: number): Promise<Map<PrinterId, number>> {
  const rows = await handle
    .selectFrom('messages')
    .select(['recipient_id', ({ fn }) => fn.countAll<number>().as('count')])
    .where(isAnyJob)
    .where('finished_at_ms', '>=', sinceMs)
    .where('state', 'in', ['failed', 'expired', 'uncertain'])
    .groupBy('recipient_id')
    .execute();
  return new Map(rows.map(({ recipient_id, count }) => [asPrinterId(recipient_id), Number(count)]));
}

/** In these states, and only in these, a job has certainly printed nothing. A newer release may know other states. */
const NEVER_PRINTED: MessageState[] = ['failed', 'expired', 'cancelled'];

/** Whether a slip of the voucher was printed, may have been printed, or will be printed. */
export async function isPrintedBefore(handle: Handle, voucherId: VoucherId): Promise<boolean> {
  const row = await handle
    .selectFrom('messages')
    .select('id')
    .where(isAnyJob)
    .where('voucher_id', '=', voucherId)
    .where('state', 'not in', NEVER_PRINTED)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** False if the job is no longer queued. */
export async function cancelJob(handle: Handle, id: MessageId, now: RawBuilder<number>): Promise<boolean> {
  const { numUpdatedRows } = await handle
    .updateTable('messages')
    .set({ state: 'cancelled', finished_at_ms: now })
    .where('id', '=', id)
    .where(isAnyJob)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Jobs that are held stay: they are cancelled when their voucher exists. */
export async function cancelQueuedJobs(
  handle: Handle,
  printerId: PrinterId,
  now: RawBuilder<number>,
): Promise<void> {
  await handle
    .updateTable('messages')
    .set({ state: 'cancelled', finished_at_ms: now })
    .where(isJob)
    .where('recipient_id', '=', printerId)
    .where(IS_QUEUED)
    .where('state', '=', 'waiting')
    .execute();
}

/** A job that began longer ago than this will not be confirmed, for example because its printer was switched off. */
const MAX_SENDING_MS = 2 * 60_000;

const LIFE_MS = sql<number>`job_minutes * 60000 + case when messages.state = 'sending'
  then ${sql.lit(MAX_SENDING_MS)} else 0 end`;

/** A time from the future comes from a wrong clock, so it counts as old. */
const ageOf = (time: string, now: RawBuilder<number>) => sql<number>`abs((select ${now}) - ${sql.ref(time)})`;

/**
 * Jobs of a printer that was removed are over. While a printer prints one job after the other, the jobs behind wait
 * without getting old: a large batch takes longer than one job may wait.
 */
const isOver = (now: RawBuilder<number>) => sql<boolean>`${isJob} and ${IS_QUEUED}
  and not (messages.state = 'sending' and ${ageOf('occurred_at_ms', now)} <= ${sql.lit(MAX_SENDING_MS)})
  and not exists (select 1 from printers where printers.id = messages.recipient_id
    and (${ageOf('occurred_at_ms', now)} <= ${LIFE_MS} or ${ageOf('printed_at_ms', now)} <= ${LIFE_MS}))`;

/**
 * Looks only at the first waiting job of each printer, because a printer may have many and this is asked all the time.
 * `cross join` makes SQLite begin with the printers.
 */
export async function hasOldJobs(handle: Handle, now: RawBuilder<number>): Promise<boolean> {
  const first = sql`(select (select id from messages where ${isJob} and recipient_id = printers.id and ${IS_QUEUED}
    and state = 'waiting' order by id limit 1) as first_id from printers)`;
  const { rows } = await sql<{ id: number }>`
    select id from ${first} as waiting cross join messages where id = first_id and ${isOver(now)}
    union all
    select id from messages where ${isOver(now)} and state = 'sending'
    union all
    select id from messages where ${isJob} and ${IS_QUEUED} and recipient_id not in (select id from printers)
    limit 1`.execute(handle);
  return rows.length > 0;
}

/** Returns the number of jobs that were ended. */
export async function endOldJobs(handle: Handle, now: RawBuilder<number>): Promise<number> {
  const { numUpdatedRows } = await handle
    .updateTable('messages')
    .set({
      state: sql<string>`case when state = 'sending' then 'uncertain'
        when exists (select 1 from printers where id = recipient_id) then 'expired' else 'cancelled' end`,
      finished_at_ms: now,
    })
    .where(isOver(now))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
