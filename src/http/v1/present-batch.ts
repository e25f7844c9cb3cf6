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

/** Why the service itself has ended a batch. Another order may succeed later. */
const TOO_MANY = ['too-many-mails', 'too-many-slips'] as const;

/** The batch has these vouchers now. */
export function presentBatch(
  { id, wanted, endedAtMs, problem, cause, isUncertain }: StoredBatch,
  vouchers: Voucher[],
): Batch {
  // An open order may have been completed after the batch had ended.
  const isDone = problem === null || vouchers.length >= wanted;
  const end = isDone ? 'done' : 'failed';
  const tooMany = TOO_MANY.find((kind) => kind === problem);
  const kind = tooMany ?? 'creation-failed';
  const [, title] = PROBLEM_KINDS[kind];
  return {
    id,
    state: endedAtMs === null ? 'running' : end,
    count: wanted,
    created: vouchers.length,
    vouchers,
    problem: isDone
      ? null
      : {
          type: typeOf(kind),
          title,
          cause: cause ? publishedCause(cause) : (tooMany ?? null),
          retry: isUncertain ? 'after-settling' : retryAfter(cause),
        },
  };
}

/** Whether ordering the missing vouchers again may help, as far as the stored cause tells. */
function retryAfter(cause: FailureCause | null): Retry {
  return isFixedByConnection(cause) || isCertificateCause(cause) || cause === 'refused' ? 'no' : 'yes';
}
