// Decides what a request gets if its Idempotency-Key was used before. A key belongs to one request body: a request with
// the same body gets the first response again, and a request with another body is refused.

import type { IdempotencyProblem } from '../problem.ts';
import { fail, ok, type Result } from '../result.ts';
import type { CreatedVoucher, IdempotencyTicket } from './voucher-store.ts';

/** After this time a key can be used for a new request, unless its request is still in progress. */
export const RESPONSES_KEPT_MS = 24 * 60 * 60 * 1000;

export interface EarlierRequest {
  bodyHash: string;
  /** Undefined while the outcome is open, and if only a newer release can read the response. */
  response: CreatedVoucher | undefined;
}

export function repeatResponse(
  earlier: EarlierRequest,
  ticket: IdempotencyTicket,
): Result<CreatedVoucher, IdempotencyProblem> {
  const isRepeated = earlier.bodyHash === ticket.bodyHash;
  return isRepeated && earlier.response ? ok(earlier.response) : fail(refuseTaken(earlier, ticket));
}

/**
 * The problem of a request that cannot begin because its key is taken. `earlier` is undefined if the earlier request
 * has ended in the meantime.
 */
export function refuseTaken(
  earlier: Pick<EarlierRequest, 'bodyHash'> | undefined,
  ticket: IdempotencyTicket | undefined,
): IdempotencyProblem {
  const isOther = earlier !== undefined && earlier.bodyHash !== ticket?.bodyHash;
  return { kind: isOther ? 'idempotency-key-reused' : 'idempotency-in-progress' };
}
