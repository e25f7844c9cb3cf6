// Queries for the log of mails. The log has only masked addresses; `selectAddress` returns a full one.

import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { asMessageId, asSiteId, asVoucherId, type MessageId, type VoucherId } from '../../kernel/ids.ts';
import { lastAttempt } from '../../kernel/messages/attempt-queries.ts';
import { MESSAGE_STATES, type MessageState } from '../../kernel/messages/message.ts';
import { openPayload } from '../../kernel/messages/message-queries.ts';
import type { Database, Handle } from '../../platform/database/database.ts';
import { readJson } from '../../platform/database/read-json.ts';
import type { Tables } from '../../platform/database/schema.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { maskMailAddress } from '../../platform/text/mail-address.ts';
import { type OrUnknown, readKnown, UNKNOWN } from '../../platform/values/unknown-value.ts';
import { type LoggedMail, MAIL_KINDS, type MailSearch, type MailState, toMailMessageId } from './mail.ts';
import { readMailFacts, readSealedMailFacts } from './mail-facts.ts';

/** `|| ''` keeps SQLite from using the index by recipient, which would read and sort all messages of the channel. */
const anyMail = sql<boolean>`messages.channel || '' = 'mail'`;
/** As the index `mails_failed` has it. */
const IS_UNREAD = sql<boolean>`messages.channel = 'mail' and messages.state = 'failed' and messages.seen_at_ms is null`;

const STORED_STATES: Record<MailState, MessageState[]> = {
  held: ['held'],
  waiting: ['waiting', 'sending'],
  sent: ['done'],
  failed: ['failed'],
  cancelled: ['cancelled'],
};

interface Reading extends Pick<Database, 'read' | 'listOf'> {
  seal: Seal;
}

export async function selectMails(
  { read, listOf, seal }: Reading,
  { limit, siteIds, voucherId, id, states, isUnread, beforeId }: MailSearch,
): Promise<LoggedMail[]> {
  const conditions = [
    isUnread ? IS_UNREAD : anyMail,
    siteIds && sql<boolean>`${SITE_ID} in ${listOf(siteIds)}`,
    voucherId !== undefined && sql<boolean>`messages.voucher_id = ${voucherId}`,
    id !== undefined && sql<boolean>`messages.id = ${id}`,
    beforeId !== undefined && sql<boolean>`messages.id < ${beforeId}`,
    states && sql<boolean>`messages.state in (${sql.join(states.flatMap((state) => STORED_STATES[state]))})`,
  ].filter((condition) => condition !== undefined && condition !== false);
  const rows = await conditions
    .reduce((query, condition) => query.where(condition), logged(read))
    .orderBy('messages.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => toMail(seal, row));
}

/** The newest mail of each of these vouchers. */
export async function selectNewestMails(
  { read, listOf, seal }: Reading,
  voucherIds: VoucherId[],
): Promise<Map<VoucherId, LoggedMail>> {
  if (voucherIds.length === 0) return new Map();
  const newest = sql<SqlBool>`messages.id in (select max(id) from messages
    where channel || '' = 'mail' and voucher_id in ${listOf(voucherIds)} group by voucher_id)`;
  const rows = await logged(read).where(newest).execute();
  const mails = rows.map((row) => toMail(seal, row));
  return new Map(mails.flatMap((mail) => (mail.voucherId === null ? [] : [[mail.voucherId, mail] as const])));
}

export async function countUnreadMails(
  { read, listOf }: Omit<Reading, 'seal'>,
  siteIds: number[],
): Promise<number> {
  const { count } = await read
    .selectFrom('messages')
    .innerJoin('vouchers', 'vouchers.id', 'messages.voucher_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(IS_UNREAD)
    .where(sql<boolean>`vouchers.site_id in ${listOf(siteIds)}`)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Undefined if there is no such mail, or if its address cannot be opened. */
export async function selectAddress(handle: Handle, seal: Seal, id: MessageId): Promise<string | undefined> {
  const row = await handle
    .selectFrom('messages')
    .select(['event_id', 'sealed_payload'])
    .where('id', '=', id)
    .where(anyMail)
    .executeTakeFirst();
  return row && readSealedMailFacts(openPayload(seal, row))?.address;
}

const SITE_ID = sql<number | null>`coalesce(vouchers.site_id, intents.site_id)`;

function logged(handle: Handle) {
  return handle
    .selectFrom('messages')
    .leftJoin('vouchers', 'vouchers.id', 'messages.voucher_id')
    .leftJoin('intents', 'intents.id', 'messages.intent_id')
    .selectAll('messages')
    .select([SITE_ID.as('site_id'), lastAttempt('error').as('last_error')]);
}

type LoggedRow =
  ReturnType<typeof logged> extends SelectQueryBuilder<Tables, 'messages', infer Row> ? Row : never;

function toMail(seal: Seal, row: LoggedRow): LoggedMail {
  const state = toMailState(row.state);
  const facts = readMailFacts(readJson(row.payload));
  const address = readSealedMailFacts(openPayload(seal, row))?.address;
  return {
    id: asMessageId(row.id),
    kind: readKnown(MAIL_KINDS, row.kind),
    voucherId: row.voucher_id === null ? null : asVoucherId(row.voucher_id),
    siteId: row.site_id === null ? null : asSiteId(row.site_id),
    state,
    attempts: row.attempts,
    lastError: row.last_error,
    messageId: facts ? toMailMessageId(row.event_id, facts) : row.event_id,
    maskedAddress: address === undefined ? '…' : maskMailAddress(address),
    language: facts?.language ?? null,
    createdAtMs: row.occurred_at_ms,
    sentAtMs: state === 'sent' ? row.finished_at_ms : null,
    nextAttemptAtMs: state === 'waiting' && row.due_at_ms > 0 ? row.due_at_ms : null,
    isUnread: state === 'failed' && row.seen_at_ms === null,
  };
}

function toMailState(text: string): OrUnknown<MailState> {
  switch (readKnown(MESSAGE_STATES, text)) {
    case 'held':
      return 'held';
    case 'waiting':
    case 'sending':
      return 'waiting';
    case 'done':
      return 'sent';
    case 'failed':
      return 'failed';
    case 'cancelled':
      return 'cancelled';
    default:
      return UNKNOWN;
  }
}
