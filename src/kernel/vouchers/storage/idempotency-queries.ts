// Queries for stored idempotent responses. A row with an intent belongs to a request in progress; a row with an
// `answer` holds the response for repeated requests.

import { compileOnce, type Placeholders } from '../../../platform/database/compiled-query.ts';
import type { Handle } from '../../../platform/database/database.ts';
import {
  asBatchId,
  asIntentId,
  asVoucherId,
  type BatchId,
  type IntentId,
  type KeyId,
  type VoucherId,
} from '../../ids.ts';
import type { Voucher } from '../voucher.ts';
import type { IdempotencyTicket } from '../voucher-records.ts';
import { voucherColumns } from './voucher-queries.ts';

export interface RememberedResponse {
  bodyHash: string;
  intentId: IntentId | null;
  answer: string | null;
  voucherId: VoucherId | null;
  batchId: BatchId | null;
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
      .select(['voucher_id as voucherId', 'batch_id as batchId'])
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
  return (
    row && {
      ...row,
      intentId: row.intentId === null ? null : asIntentId(row.intentId),
      voucherId: row.voucherId === null ? null : asVoucherId(row.voucherId),
      batchId: row.batchId === null ? null : asBatchId(row.batchId),
    }
  );
}

const voucherOf = compileOnce((handle: Handle, { id }: Placeholders<{ id: VoucherId }>) =>
  handle
    .selectFrom('vouchers')
    .select([...voucherColumns, 'revoked_at_s as revokedAtS', 'successor_id as successorId'])
    .where('id', '=', id),
);

export async function selectNamedVoucher(
  handle: Handle,
  id: VoucherId,
): Promise<(Voucher & { revokedAtS: number | null; successorId: number | null }) | undefined> {
  return (await voucherOf(handle, { id })).rows[0];
}

/** An intent, which gets its response later, or a batch, which is the response itself. */
type Opened = ({ intentId: IntentId } | { batchId: BatchId }) & {
  createdAtMs: number;
  notBeforeMs: number;
};

function toTicketInput(
  { apiKeyId, key, bodyHash, replaces }: IdempotencyTicket,
  { createdAtMs, notBeforeMs, ...opened }: Opened,
) {
  const batchId = 'batchId' in opened ? opened.batchId : null;
  const ticket = {
    api_key_id: apiKeyId,
    idempotency_key: key,
    body_hash: bodyHash,
    intent_id: 'intentId' in opened ? opened.intentId : null,
    answer: batchId && JSON.stringify({ batch: batchId }),
    batch_id: batchId,
    created_at_ms: createdAtMs,
  };
  return { ticket, notBeforeMs, replaces: replaces ?? null };
}

const insert = compileOnce(
  (handle: Handle, { ticket, notBeforeMs, replaces }: Placeholders<ReturnType<typeof toTicketInput>>) =>
    handle
      .insertInto('idempotent_answers')
      .values(ticket)
      .onConflict((conflict) =>
        conflict
          .columns(['api_key_id', 'idempotency_key'])
          .doUpdateSet((eb) => ({
            body_hash: eb.ref('excluded.body_hash'),
            intent_id: eb.ref('excluded.intent_id'),
            answer: eb.ref('excluded.answer'),
            created_at_ms: eb.ref('excluded.created_at_ms'),
            voucher_id: null,
            batch_id: eb.ref('excluded.batch_id'),
          }))
          .where('idempotent_answers.intent_id', 'is', null)
          .where((eb) =>
            eb.or([
              eb('idempotent_answers.created_at_ms', '<=', notBeforeMs),
              eb('idempotent_answers.answer', '=', replaces),
            ]),
          ),
      )
      .returning('api_key_id'),
);

/**
 * False if the idempotency key is taken: its request is in progress, or its response is still kept and is not the one
 * that the ticket replaces.
 */
export async function insertTicket(
  handle: Handle,
  ticket: IdempotencyTicket,
  opened: Opened,
): Promise<boolean> {
  return (await insert(handle, toTicketInput(ticket, opened))).rows.length > 0;
}

type NewResponse = {
  answer: string;
  voucherId: VoucherId;
};

const setResponse = compileOnce(
  (handle: Handle, { intentId, answer, voucherId }: Placeholders<NewResponse & { intentId: IntentId }>) =>
    handle
      .updateTable('idempotent_answers')
      .set({ intent_id: null, answer, voucher_id: voucherId })
      .where('intent_id', '=', intentId),
);

export async function rememberResponse(
  handle: Handle,
  intentId: IntentId,
  response: NewResponse,
): Promise<void> {
  await setResponse(handle, { intentId, ...response });
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
