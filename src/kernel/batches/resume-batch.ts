// Resumes a failed batch: exactly the vouchers that it lacks are ordered. A running or complete batch stays as it is,
// so the call can be repeated.

import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { BatchId } from '../ids.ts';
import type { NextSearch } from '../vouchers/next-search.ts';
import type { OrderedBy } from '../vouchers/voucher-records.ts';
import type { BatchStore, NotResumable } from './batch.ts';
import type { FillBatch } from './create-batch.ts';

export type ResumeProblem =
  /** It is not known yet whether the missing vouchers exist. */
  | { kind: 'batch-unsettled'; retryAfterS: number }
  | { kind: 'batch-not-resumable'; reason: Exclude<NotResumable, 'unsettled'> };

/** `filling` ends when the batch does. */
export type ResumeBatch = (
  id: BatchId,
  by: Omit<OrderedBy, 'userId' | 'batchId'>,
) => Promise<Result<{ filling: Promise<unknown> }, ResumeProblem>>;

interface Deps {
  batches: Pick<BatchStore, 'find' | 'resume'>;
  fillBatch: FillBatch;
  nextSearch: Pick<NextSearch, 'leftS'>;
}

export function makeResumeBatch({ batches, fillBatch, nextSearch }: Deps): ResumeBatch {
  return async function resumeBatch(id, by) {
    const batch = await batches.find(id);
    if (!batch) return fail({ kind: 'batch-not-resumable', reason: 'gone' });
    if (batch.isMailUnreadable && batch.endedAtMs !== null)
      return fail({ kind: 'batch-not-resumable', reason: 'mail-unreadable' });
    const resumed = await batches.resume(id);
    if (resumed === 'unsettled') return fail({ kind: 'batch-unsettled', retryAfterS: nextSearch.leftS() });
    if (resumed === 'not-needed') return ok({ filling: Promise.resolve() });
    if (resumed !== 'resumed') return fail({ kind: 'batch-not-resumable', reason: resumed });
    const { userId } = batch;
    return ok({ filling: fillBatch(batch, { ...by, ...(userId !== undefined && { userId }) }) });
  };
}
