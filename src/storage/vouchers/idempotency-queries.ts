// Queries for stored idempotent responses. A row with an intent belongs to a request in progress; a row with an
// `answer` holds the response for repeated requests.

import { asIntentId, type IntentId, type KeyId } from '../../domain/ids.ts';
import type { IdempotencyTicket } from '../../domain/vouchers/voucher-store.ts';
import { compileOnce, type Placeholders } from '../compiled-query.ts';
import type { Handle } from '../database.ts';

interface RememberedResponse {
  bodyHash: string;
  intentId: IntentId | null;
  answer: string | null;
}

type TicketName = Pick<IdempotencyTicket, 'apiKeyId' | 'key'>;

const responseOf = compileOnce(
  (
    handle: Handle,
    { apiKeyId, key, notBeforeMs }: Placeholders<{ apiKeyId: KeyId; key: string; notBeforeMs: number }>,
  ) =>
    handle
      .selectFrom('idempotent_answers')
      .select(['body_hash as bodyHash', 'intent_id as intentId', 'answer'])
      .where('api_key_id', '=', apiKeyId)
      .where('idempotency_key', '=', key)
      // A request in progress counts regardless of its age.
      .where((eb) => eb.or([eb('created_at_ms', '>', notBeforeMs), eb('intent_id', 'is not', null)])),
);

export async function selectResponse(
  handle: Handle,
  { apiKeyId, key }: TicketName,
  notBeforeMs: number,
): Promise<RememberedResponse | undefined> {
  const [row] = (await responseOf(handle, { apiKeyId, key, notBeforeMs })).rows;
  return row && { ...row, intentId: row.intentId === null ? null : asIntentId(row.intentId) };
}

function toTicketColumns(ticket: IdempotencyTicket, opened: { intentId: IntentId; createdAtMs: number }) {
  return {
    api_key_id: ticket.apiKeyId,
    idempotency_key: ticket.key,
    body_hash: ticket.bodyHash,
    intent_id: opened.intentId,
    created_at_ms: opened.createdAtMs,
  };
}

const insert = compileOnce(
  (
    handle: Handle,
    {
      ticket,
      notBeforeMs,
    }: Placeholders<{ ticket: ReturnType<typeof toTicketColumns>; notBeforeMs: number }>,
  ) =>
    handle
      .insertInto('idempotent_answers')
      .values(ticket)
      .onConflict((conflict) =>
        conflict
          .columns(['api_key_id', 'idempotency_key'])
          .doUpdateSet((eb) => ({
            body_hash: eb.ref('excluded.body_hash'),
            intent_id: eb.ref('excluded.intent_id'),
            answer: null,
            created_at_ms: eb.ref('excluded.created_at_ms'),
          }))
          .where('idempotent_answers.created_at_ms', '<=', notBeforeMs)
          .where('idempotent_answers.intent_id', 'is', null),
      )
      .returning('api_key_id'),
);

/** False if the idempotency key is taken: its response is still kept, or its request is in progress. */
export async function insertTicket(
  handle: Handle,
  ticket: IdempotencyTicket,
  opened: { intentId: IntentId; createdAtMs: number; notBeforeMs: number },
): Promise<boolean> {
  const { notBeforeMs } = opened;
  return (await insert(handle, { ticket: toTicketColumns(ticket, opened), notBeforeMs })).rows.length > 0;
}

const setResponse = compileOnce(
  (handle: Handle, { intentId, answer: response }: Placeholders<{ intentId: IntentId; answer: string }>) =>
    handle
      .updateTable('idempotent_answers')
      .set({ intent_id: null, answer: response })
      .where('intent_id', '=', intentId),
);

export async function rememberResponse(handle: Handle, intentId: IntentId, response: string): Promise<void> {
  await setResponse(handle, { intentId, answer: response });
}

const deleteOf = compileOnce((handle: Handle, { intentId }: Placeholders<{ intentId: IntentId }>) =>
  handle.deleteFrom('idempotent_answers').where('intent_id', '=', intentId),
);

export async function deleteTicketOf(handle: Handle, intentId: IntentId): Promise<void> {
  await deleteOf(handle, { intentId });
}

export async function deleteResponsesBefore(handle: Handle, beforeMs: number): Promise<number> {
  const result = await handle
    .deleteFrom('idempotent_answers')
    .where('created_at_ms', '<', beforeMs)
    .where('intent_id', 'is', null)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
