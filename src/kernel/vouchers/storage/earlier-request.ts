// The earlier request with an Idempotency-Key, as the voucher store reads it.

import type { RawBuilder } from 'kysely';
import * as v from 'valibot';
import type { Handle } from '../../../platform/database/database.ts';
import { readJson } from '../../../platform/database/read-json.ts';
import { fail, type Result } from '../../../platform/values/result.ts';
import { type EarlierRequest, refuseTaken } from '../idempotency.ts';
import type { IdempotencyTicket, TakenKey } from '../voucher-records.ts';
import { hasEnded, stateOf } from '../voucher-state.ts';
import { type RememberedResponse, selectNamedVoucher, selectResponse } from './idempotency-queries.ts';
import { selectIntentAge } from './intent-queries.ts';
import { NO_VOUCHER } from './rebooking-queries.ts';

/** The stored response to a request with an Idempotency-Key. */
const StoredResponse = v.object({
  code: v.string(),
  siteName: v.string(),
  maxUses: v.number(),
  expireMinutes: v.number(),
  endsAtS: v.exactOptional(v.number()),
});

/** The earlier request, its response, and whether the voucher of the response has ended. */
export async function readEarlierRequest(
  handle: Handle,
  { bodyHash, intentId, answer, voucherId }: RememberedResponse,
  { nowS, now }: { nowS: number; now: RawBuilder<number> },
): Promise<EarlierRequest> {
  const read = v.safeParse(StoredResponse, answer === null ? null : readJson(answer));
  if (answer === null || !read.success)
    return { bodyHash, ageMs: await selectIntentAge(handle, intentId, now) };
  const stored = { text: answer, response: read.output };
  if (voucherId === null) return { bodyHash, stored };
  const voucher = await selectNamedVoucher(handle, voucherId);
  // Retention deletes only vouchers that have ended.
  if (!voucher)
    return { bodyHash, stored: { ...stored, hasEnded: true, isReplaced: voucherId === NO_VOUCHER } };
  // Release 0.2 replaces an expired response, but keeps the id of the voucher of that expired response.
  if (voucher.code !== read.output.code) return { bodyHash, stored };
  const response = { ...read.output, id: voucherId };
  const isReplaced = voucher.successorId !== null;
  const isOver = isReplaced || hasEnded(stateOf(voucher, nowS));
  return { bodyHash, stored: { text: answer, response, hasEnded: isOver, isReplaced } };
}

/** The reason why a ticket is refused: its idempotency key is taken, however old the stored response is. */
export async function refuseTicket(
  handle: Handle,
  ticket: IdempotencyTicket | undefined,
  now: RawBuilder<number>,
): Promise<Result<never, TakenKey>> {
  const found = ticket && (await selectResponse(handle, ticket, 0));
  if (!found) return fail(refuseTaken(undefined, ticket));
  const { bodyHash, intentId } = found;
  return fail(refuseTaken({ bodyHash, ageMs: await selectIntentAge(handle, intentId, now) }, ticket));
}
