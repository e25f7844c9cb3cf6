// Converts a batch to the body of its response.

import type { Batch as StoredBatch } from '../../domain/batches/batch.ts';
import {
  type FailureCause,
  isCertificateCause,
  isFixedByConnection,
  publishedCause,
} from '../../domain/controller.ts';
import type { Retry } from '../problem-response.ts';
import { PROBLEM_KINDS, typeOf } from './problem-kinds.ts';
import type { Batch, Voucher } from './responses.ts';

/** The batch has these vouchers now. */
export function presentBatch(
  { id, wanted, endedAtMs, problem, cause, isUncertain }: StoredBatch,
  vouchers: Voucher[],
): Batch {
  // An open order may have been completed after the batch had ended.
  const isDone = problem === null || vouchers.length >= wanted;
  const end = isDone ? 'done' : 'failed';
  const [, title] = PROBLEM_KINDS['creation-failed'];
  return {
    id,
    state: endedAtMs === null ? 'running' : end,
    count: wanted,
    created: vouchers.length,
    vouchers,
    problem: isDone
      ? null
      : {
          type: typeOf('creation-failed'),
          title,
          cause: cause && publishedCause(cause),
          retry: isUncertain ? 'after-settling' : retryAfter(cause),
        },
  };
}

/** Whether ordering the missing vouchers again may help, as far as the stored cause tells. */
function retryAfter(cause: FailureCause | null): Retry {
  return isFixedByConnection(cause) || isCertificateCause(cause) || cause === 'refused' ? 'no' : 'yes';
}
