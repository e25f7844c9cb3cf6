// Decides what a request gets if its Idempotency-Key was used before. A key belongs to one request body: a request with
// the same body gets the first response again, and a request with another body is refused. Once the voucher of the
// first response has ended, its code is of no use: the key is freed, and the same body makes a new voucher.

import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { CreatedVoucher, IdempotencyTicket, Repeated, TakenKey } from './voucher-records.ts';

/** After this time a key can be used for a new request, unless its request is still in progress. */
export const RESPONSES_KEPT_MS = 24 * 60 * 60 * 1000;

export interface EarlierRequest<Response = CreatedVoucher> {
  bodyHash: string;
  /** The age of the order. Set while its outcome is open. */
  ageMs?: number | undefined;
  /** Absent while the outcome is open, and if only a newer release can read the response. */
  stored?: {
    /** The response as it is stored. */
    text: string;
    response: Response;
    /** Whether what the response names has ended. */
    hasEnded?: boolean;
    /** A newer voucher of its booking has replaced the voucher, so the key is not freed: one of them may live. */
    isReplaced?: boolean;
  };
}

export function repeatResponse<Response>(
  earlier: EarlierRequest<Response>,
  ticket: IdempotencyTicket,
): Result<Repeated<Response>, TakenKey> {
  const { bodyHash, stored } = earlier;
  if (!stored || bodyHash !== ticket.bodyHash) return fail(refuseTaken(earlier, ticket));
  if (stored.hasEnded && (ticket.isKept || stored.isReplaced)) return fail({ kind: 'idempotency-key-ended' });
  return ok(
    stored.hasEnded ? { freed: { ...ticket, replaces: stored.text } } : { response: stored.response },
  );
}

/**
 * The problem of a request that cannot begin because its key is taken. `earlier` is undefined if the earlier request
 * has ended in the meantime.
 */
export function refuseTaken(
  earlier: Pick<EarlierRequest, 'bodyHash' | 'ageMs'> | undefined,
  ticket: IdempotencyTicket | undefined,
): TakenKey {
  if (earlier && earlier.bodyHash !== ticket?.bodyHash) return { kind: 'idempotency-key-reused' };
  const { ageMs } = earlier ?? {};
  return { kind: 'idempotency-in-progress', ...(ageMs !== undefined && { ageMs }) };
}
