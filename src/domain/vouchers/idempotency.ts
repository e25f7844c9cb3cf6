// Decides what a request gets if its Idempotency-Key was used before. A key belongs to one request body: a request with
// the same body gets the first response again, and a request with another body is refused.

import type { IntentId } from '../ids.ts';
import { fail, ok, type Result } from '../result.ts';
import type { CreatedVoucher, IdempotencyTicket, TakenKey } from './voucher-store.ts';

/** After this time a key can be used for a new request, unless its request is still in progress. */
export const RESPONSES_KEPT_MS = 24 * 60 * 60 * 1000;

export interface EarlierRequest {
  bodyHash: string;
  /** Set while the outcome is open. */
  intentId?: IntentId | null;
  /** Undefined while the outcome is open, and if only a newer release can read the response. */
  response: CreatedVoucher | undefined;
}

export function repeatResponse(
  earlier: EarlierRequest,
  ticket: IdempotencyTicket,
): Result<CreatedVoucher, TakenKey> {
  const isRepeated = earlier.bodyHash === ticket.bodyHash;
  return isRepeated && earlier.response ? ok(earlier.response) : fail(refuseTaken(earlier, ticket));
}

/**
 * The problem of a request that cannot begin because its key is taken. `earlier` is undefined if the earlier request
 * has ended in the meantime.
 */
export function refuseTaken(
  earlier: Pick<EarlierRequest, 'bodyHash' | 'intentId'> | undefined,
  ticket: IdempotencyTicket | undefined,
): TakenKey {
  if (earlier && earlier.bodyHash !== ticket?.bodyHash) return { kind: 'idempotency-key-reused' };
  const { intentId } = earlier ?? {};
  return { kind: 'idempotency-in-progress', ...(intentId && { intentId }) };
}
