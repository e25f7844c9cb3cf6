// For the API: orders one voucher, which exists when the order is placed, or a batch, which is filled in the background.

import type { BatchId, VoucherId } from '../ids.ts';
import type { CreationProblem } from '../problem.ts';
import type { Result } from '../result.ts';
import type { OrderedByKey } from './create-vouchers.ts';
import type { OrderRequest } from './order-request.ts';
import type { IdempotencyTicket } from './voucher-store.ts';

export type Placed = ({ kind: 'voucher'; id: VoucherId } | { kind: 'batch'; id: BatchId }) & {
  /** True if an earlier request with the same Idempotency-Key placed the order. */
  replayed: boolean;
  /** True if the Idempotency-Key was used before, for vouchers that have all ended. */
  freed: boolean;
};

export type PlacementProblem = CreationProblem | { kind: 'profile-not-found' };

/** Resolves when the voucher exists, or when the batch is stored. */
export type PlaceOrder = (
  request: OrderRequest,
  by: OrderedByKey,
  ticket?: IdempotencyTicket,
) => Promise<Result<Placed, PlacementProblem>>;
