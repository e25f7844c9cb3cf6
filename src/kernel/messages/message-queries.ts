// Queries for the queue of messages to each recipient, and for the attempts to send them.

import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Handle } from '../../platform/database/database.ts';
import { readJson } from '../../platform/database/read-json.ts';
import type { Tables } from '../../platform/database/schema.ts';
import { canOpen, type Seal } from '../../platform/secrets/seal.ts';
import type { SealedPlace } from '../../platform/secrets/sealed-columns.ts';
import { asMessageId, asVoucherId, type MessageId } from '../ids.ts';
import type {
  Attempt,
  ChannelRules,
  HeldMessage,
  JoinedMessage,
  Message,
  MessageState,
  NewMessage,
  Verdict,
} from './message.ts';
import { dueCases, isDue, pauseFor } from './pause-columns.ts';
import type { Recipients } from './recipient-queries.ts';

/** Uses literals, because with parameters no engine would use the partial index of the queue. */
export const IS_QUEUED = sql<boolean>`state in ('waiting', 'sending')`;

/** The name is a literal, too, because of the partial index of the mails that wait. */
export const isOf = ({ name, kinds }: ChannelRules) =>
  sql<boolean>`messages.channel = ${sql.lit(name)} and kind in (${sql.join(kinds)})`;

/** A message without sealed facts. */
interface PlainMessage extends NewMessage {
  sealedPayload?: never;
}

/** Ids rise in the order of `messages`, and each recipient gets its messages in the order of their ids. */
export async function insertMessages(
  handle: Handle,
  { name }: Pick<ChannelRules, 'name'>,
  messages: PlainMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  await handle
    .insertInto('messages')
    .values(messages.map((message) => ({ ...toColumns(name, message), state: 'waiting' })))
    .execute();
}

/** Seals the message's sealed facts. Locks the check value: see `Seal`. */
export async function toSealedColumns(transaction: Handle, seal: Seal, { channel, ...message }: HeldMessage) {
  const { sealedPayload, eventId, orderedBy = null, ...plain } = message;
  const sealed_payload =
    sealedPayload === undefined
      ? null
      : await seal.seal(transaction, JSON.stringify(sealedPayload), placeOf(eventId));
  return { ...toColumns(channel, { ...plain, eventId }), sealed_payload, ordered_by: orderedBy };
}

export const placeOf = (eventId: string): SealedPlace => ({
  table: 'messages',
  column: 'sealed_payload',
  row: eventId,
});

export function toColumns(channel: string, message: PlainMessage) {
  const { recipientId, eventId, kind, payload, occurredAtMs } = message;
  return {
    channel,
    recipient_id: recipientId,
    event_id: eventId,
    kind,
    payload: JSON.stringify(payload),
    occurred_at_ms: occurredAtMs,
  };
}

interface Queue {
  seal: Seal;
  channel: ChannelRules;
  recipients: Recipients;
  now: RawBuilder<number>;
}

export async function selectDueRecipients(
  handle: Handle,
  { channel, recipients, now }: Omit<Queue, 'seal'>,
): Promise<number[]> {
  const recipient = sql.ref('ready.recipient_id');
  const hasMessage = channel.keepsSequence
    ? sql`exists (select 1 from messages
        where ${isOf(channel)} and messages.recipient_id = ${recipient} and ${IS_QUEUED})`
    : sql`${firstDueOf(channel, recipient, now)} is not null`;
  const { rows } = await sql<{
    recipient_id: number;
  }>`select recipient_id from ${recipients.ready(channel.name)} as ready
    where ${isDue('ready', now)} and ${hasMessage}
  `.execute(handle);
  return rows.map(({ recipient_id }) => recipient_id);
}

type QueuedRow = Selectable<Tables['messages']> & { failures: number };

/**
 * In a channel that keeps the order, the first message holds up the others until its pause is over. `cross join` makes
 * SQLite begin with the message; otherwise it would read all of them and sort.
 */
export async function selectNextMessage(
  handle: Handle,
  { seal, channel, recipients, now }: Queue,
  recipientId: number,
): Promise<Message | undefined> {
  const isSendable = isDue('messages', now);
  const first = channel.keepsSequence
    ? firstOf(channel, recipientId)
    : firstDueOf(channel, sql`${recipientId}`, now);
  const { rows } = await sql<
    QueuedRow & { is_sendable: number }
  >`select messages.*, failures, case when ${isSendable} then 1 else 0 end as is_sendable
    from messages cross join ${recipients.ready(channel.name, sql`${recipientId}`)} as ready
    where messages.id = ${first}
      and ready.recipient_id = messages.recipient_id and ${isDue('ready', now)}
  `.execute(handle);
  const [row] = rows;
  return row && row.is_sendable === 1 ? toMessage(seal, row) : undefined;
}

/**
 * The id of the recipient's message that is being sent; otherwise of the oldest that waits. An older message may have
 * been held until now.
 */
function firstOf(channel: ChannelRules, recipientId: number): RawBuilder<number | null> {
  const first = [sql`state = 'sending'`, IS_QUEUED].map(
    (isIn) => sql`(select id from messages
      where ${isOf(channel)} and messages.recipient_id = ${recipientId} and ${isIn} order by id limit 1)`,
  );
  return sql`coalesce(${sql.join(first)})`;
}

export async function selectQueuedMessage(
  handle: Handle,
  { seal, channel, recipients }: Queue,
  id: MessageId,
): Promise<Message | undefined> {
  const recipient = sql`(select recipient_id from messages where id = ${id})`;
  const { rows } = await sql<QueuedRow>`select messages.*, failures
    from messages inner join ${recipients.ready(channel.name, recipient)} as ready
      on ready.recipient_id = messages.recipient_id
    where ${isOf(channel)} and messages.id = ${id} and ${IS_QUEUED}
  `.execute(handle);
  return rows[0] && toMessage(seal, rows[0]);
}

export async function selectMessagesBehind(
  handle: Handle,
  { seal, channel }: Pick<Queue, 'seal' | 'channel'>,
  { id, recipientId, failures }: Message,
  limit: number,
): Promise<Message[]> {
  const rows = await handle
    .selectFrom((eb) =>
      eb
        .selectFrom('messages')
        .selectAll()
        .where('channel', '=', channel.name)
        .where('recipient_id', '=', recipientId)
        .where(IS_QUEUED)
        .where('id', '>', id)
        .orderBy('id')
        .limit(limit)
        .as('messages'),
    )
    .selectAll()
    .where(isOf(channel))
    .where(isUntouched)
    .orderBy('id')
    .execute();
  return rows.map((row) => toMessage(seal, { ...row, failures }));
}

/** The message waits, has had no attempt since it was queued, and was never merged into another message. */
const isUntouched = sql<boolean>`state = 'waiting' and attempts = 0 and merged_into is null`;

function toMessage(seal: Seal, row: QueuedRow): Message {
  return {
    id: asMessageId(row.id),
    recipientId: row.recipient_id,
    eventId: row.event_id,
    kind: row.kind,
    payload: readJson(row.payload),
    sealedPayload: openPayload(seal, row),
    occurredAtMs: row.occurred_at_ms,
    state: row.state === 'sending' ? 'sending' : 'waiting',
    attempts: row.attempts,
    failures: row.failures,
    mergedInto: row.merged_into === null ? null : asMessageId(row.merged_into),
    voucherId: row.voucher_id === null ? null : asVoucherId(row.voucher_id),
  };
}

/** Undefined if there are no sealed facts, or if they cannot be opened. */
export function openPayload(
  seal: Seal,
  { event_id, sealed_payload }: Pick<QueuedRow, 'event_id' | 'sealed_payload'>,
): unknown {
  const place = placeOf(event_id);
  if (sealed_payload === null || !canOpen(seal, sealed_payload, place)) return undefined;
  return readJson(seal.open(sealed_payload, place));
}

/**
 * The id of the recipient's message that has been due for longest, in a channel that does not keep the order. Each case
 * is one step in the index `mails_due` or `mails_paused`. In one condition, the cases would be checked for every
 * message that has to wait.
 */
export function firstDueOf(
  channel: ChannelRules,
  recipientId: RawBuilder<unknown>,
  now: RawBuilder<number>,
): RawBuilder<number | null> {
  const first = dueCases('messages', now).map(
    (isDueBy, index) => sql`(select id from messages
      where ${isOf(channel)} and messages.recipient_id = ${recipientId} and ${IS_QUEUED} and ${isDueBy}
      order by ${sql.ref(index === 1 ? 'paused_at_ms' : 'due_at_ms')}, id limit 1)`,
  );
  return sql`coalesce(${sql.join(first)})`;
}

/** Returns false if another instance has begun to send the message, or has sent it, since it was read. */
export async function updateToSending(
  handle: Handle,
  { id, attempts }: Pick<Message, 'id' | 'attempts'>,
): Promise<boolean> {
  const result = await handle
    .updateTable('messages')
    .set({ state: 'sending' })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('attempts', '=', attempts)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Messages for a voucher keep their sealed facts, because they can be sent again. The facts of others, such as the
 * secret of a password link, are deleted when the message is finished.
 */
const FORGOTTEN_AT_THE_END = {
  sealed_payload: sql<string | null>`case when voucher_id is null then null else sealed_payload end`,
};

/**
 * Returns false if another instance has finished the message or made an attempt that counts in the meantime, or if the
 * message was deleted with its recipient. The result of this attempt is then ignored.
 */
export async function updateAfterAttempt(
  handle: Handle,
  { id, attempts }: Pick<Message, 'id' | 'attempts'>,
  { state, pauses, pauseMs, isCounted }: Verdict,
  now: RawBuilder<number>,
): Promise<boolean> {
  const result = await handle
    .updateTable('messages')
    .set((eb) => ({
      state,
      attempts: eb('attempts', '+', isCounted ? 1 : 0),
      ...(pauses === 'message' ? pauseFor(pauseMs, now) : { due_at_ms: 0 }),
      ...(state !== 'waiting' && { finished_at_ms: now, ...FORGOTTEN_AT_THE_END }),
    }))
    .where('id', '=', id)
    .where(IS_QUEUED)
    .where('attempts', '=', attempts)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function insertAttempt(
  handle: Handle,
  messageId: MessageId,
  { durationMs, status, error, response }: Attempt,
  now: RawBuilder<number>,
): Promise<void> {
  const duration_ms = Math.round(durationMs);
  await handle
    .insertInto('message_attempts')
    .values({ message_id: messageId, at_ms: now, duration_ms, status, error, answer: response })
    .execute();
}

/** Marks messages as merged into message `id`. Those that were sent or merged since they were read are not changed. */
export async function updateToMerged(
  handle: Handle,
  { id, merged }: Pick<JoinedMessage, 'id' | 'merged'>,
  now: RawBuilder<number>,
): Promise<void> {
  if (merged.length === 0) return;
  await handle
    .updateTable('messages')
    .set({ state: 'merged', finished_at_ms: now, merged_into: id })
    .where('id', 'in', merged)
    .where(isUntouched)
    .execute();
}

/** States from which a message can be sent again. */
const RESENDABLE: MessageState[] = ['waiting', 'done', 'merged', 'failed', 'uncertain'];

/**
 * Puts a finished message back into the queue, or makes a waiting one due at once. Returns its recipient; undefined if
 * there is no such message, if this release does not know its kind, or if it is being sent.
 */
export async function updateToWaiting(
  handle: Handle,
  channel: ChannelRules,
  id: MessageId,
): Promise<number | undefined> {
  const row = await handle
    .updateTable('messages')
    .set({ state: 'waiting', attempts: 0, due_at_ms: 0, finished_at_ms: null })
    .where('id', '=', id)
    .where(isOf(channel))
    .where('state', 'in', RESENDABLE)
    .returning('recipient_id')
    .executeTakeFirst();
  return row?.recipient_id;
}

/** Gives up queued messages from before `beforeMs`, but not those that were written for a voucher. */
export async function giveUpOldMessages(
  handle: Handle,
  channel: ChannelRules,
  { beforeMs, now }: { beforeMs: number; now: RawBuilder<number> },
): Promise<void> {
  await handle
    .updateTable('messages')
    .set({ state: 'failed', finished_at_ms: now, ...FORGOTTEN_AT_THE_END })
    .where(isOf(channel))
    .where(IS_QUEUED)
    .where('voucher_id', 'is', null)
    .where('occurred_at_ms', '<', beforeMs)
    .execute();
}

/** Deletes at most `limit` old messages with their attempts. If it returns `limit`, there may be more of them. */
export async function deleteFinishedMessages(
  handle: Handle,
  { beforeMs, limit }: { beforeMs: number; limit: number },
): Promise<number> {
  const rows = await handle
    .selectFrom('messages')
    .select('id')
    .where('finished_at_ms', '<', beforeMs)
    .where('voucher_id', 'is', null)
    .limit(limit)
    .execute();
  if (rows.length === 0) return 0;
  await handle
    .deleteFrom('messages')
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    // Check the time again, because a message may have been put back into the queue in the meantime. `+ 0` keeps
    // PostgreSQL from using the index on this time, through which it would read all old messages.
    .where(sql<boolean>`finished_at_ms + 0 < ${beforeMs}`)
    .execute();
  return rows.length;
}
