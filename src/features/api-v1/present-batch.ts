// Converts a batch to the body of its response.

import type { Batch as StoredBatch } from '../../kernel/batches/batch.ts';
import { toTimestamp } from '../../kernel/contract/present-voucher.ts';
import type { Retry } from '../../kernel/contract/problem-response.ts';
import {
  type FailureCause,
  isCertificateCause,
  isFixedByConnection,
  publishedCause,
} from '../../kernel/controllers/controller.ts';
import { toWholeSeconds } from '../../platform/time/clock.ts';
import { PROBLEM_KINDS, typeOf } from './problem-kinds.ts';
import type { Batch, Voucher } from './responses.ts';

/** Problems with which the service itself refuses the rest of a batch. Another order may succeed later. */
const TOO_MANY = ['too-many-mails', 'too-many-slips'] as const;

/** The batch has these vouchers now. */
export function presentBatch(
  { id, wanted, endedAtMs, problem, cause, isUncertain, goesOnUntilMs }: StoredBatch,
  vouchers: Voucher[],
): Batch {
  // An open order may have been completed after the batch had ended.
  const isDone = problem === null || vouchers.length >= wanted;
  const end = isDone ? 'done' : 'failed';
  const tooMany = TOO_MANY.find((kind) => kind === problem);
  const kind = tooMany ?? 'creation-failed';
  const [, title] = PROBLEM_KINDS[kind];
  const isRunning = endedAtMs === null;
  const waits = isRunning && problem !== null && goesOnUntilMs !== null;
  const causeWord = cause && publishedCause(cause);
  return {
    id,
    state: isRunning ? 'running' : end,
    count: wanted,
    created: vouchers.length,
    vouchers,
    waiting: waits ? { cause: causeWord, until: toTimestamp(toWholeSeconds(goesOnUntilMs)) } : null,
    problem:
      isRunning || isDone
        ? null
        : {
            type: typeOf(kind),
            title,
            cause: causeWord ?? tooMany ?? null,
            retry: isUncertain ? 'after-settling' : retryAfter(cause),
          },
  };
}

/** Whether ordering the missing vouchers again may help, as far as the stored cause tells. */
function retryAfter(cause: FailureCause | null): Retry {
  return isFixedByConnection(cause) || isCertificateCause(cause) || cause === 'refused' ? 'no' : 'yes';
}
