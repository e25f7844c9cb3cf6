// Vouchers that somebody makes together in the web interface, one or many, and what is needed of their store.

import type { FailureCause } from '../controller.ts';
import type { BatchId, UserId, VoucherId } from '../ids.ts';
import type { Voucher } from '../vouchers/voucher.ts';
import type { VoucherOrder } from '../vouchers/voucher-order.ts';

export const MAX_BATCH_SIZE = 500;

export interface NewBatch {
  /** Given out with the form: who sends it twice gets the first one. */
  id: BatchId;
  userId: UserId;
  order: VoucherOrder;
  wanted: number;
  createdAtMs: number;
}

export interface Batch extends NewBatch {
  siteName: string;
  vouchers: (Voucher & { id: VoucherId })[];
  /** Null while it is being made. */
  endedAtMs: number | null;
  /** Why there are fewer than wanted. */
  problem: string | null;
  /** Where the controller is to blame and it is known what for. */
  cause: FailureCause | null;
}

export interface BatchStore {
  /** False when there is one of that id already. */
  begin(batch: NewBatch): Promise<boolean>;
  /** Ends it once, and owes one notification and one audit entry for all that were made. */
  end(
    id: BatchId,
    outcome: Pick<Batch, 'problem' | 'cause'> & { source: string; atMs: number; address?: string },
  ): Promise<void>;
  find(id: BatchId): Promise<Batch | undefined>;
  /** Those that have not ended, with who began them. */
  listOpen(): Promise<{ id: BatchId; userName: string }[]>;
}
