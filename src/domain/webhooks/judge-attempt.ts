// What follows from a try to deliver: done, again after a pause, or given up after ten of them in about three
// days. The pause is the webhook's, not the delivery's: what waits behind waits too, which keeps the order.

import type { Attempt, Verdict } from './delivery.ts';
import type { Webhook } from './webhook.ts';

export const MAX_ATTEMPTS = 10;

/** At most one request per second to a chat. */
const CHAT_PAUSE_MS = 1_000;
/** A target may not put us off for longer. */
const MAX_RETRY_AFTER_MS = 24 * 60 * 60_000;
/** Each pause is longer or shorter by up to this share, so that targets are not called in step. */
const JITTER = 0.1;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** After the first failure in a row, the second, and so on. */
const PAUSES_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  8 * HOUR_MS,
  24 * HOUR_MS,
  36 * HOUR_MS,
];
/** Once one was given up the target is known to be dead: somebody may bring it back at any time. */
const PAUSE_OF_THE_DEAD_MS = 6 * HOUR_MS;

interface Before {
  webhook: Pick<Webhook, 'format' | 'failures'>;
  /** Of this delivery, before this one. */
  attempts: number;
}

export type JudgeAttempt = (before: Before, made: Attempt) => Verdict;

/** The pace stretches or shortens all pauses; 1 is real time. */
export function makeJudgeAttempt({ random, pace }: { random: () => number; pace: number }): JudgeAttempt {
  return function judgeAttempt({ webhook, attempts }, made) {
    const politeMs = webhook.format === 'chat' ? Math.round(CHAT_PAUSE_MS * pace) : 0;
    if (isSuccess(made)) return { state: 'delivered', pauseMs: politeMs, failed: false, offBecause: null };
    if (made.status === 410)
      return {
        state: 'given-up',
        pauseMs: politeMs,
        failed: true,
        offBecause: 'the target said that it is gone for good (410)',
      };

    const pauseMs = (PAUSES_MS[webhook.failures] ?? PAUSE_OF_THE_DEAD_MS) * pace;
    const askedMs = Math.min(made.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
    return {
      state: attempts + 1 >= MAX_ATTEMPTS ? 'given-up' : 'waiting',
      pauseMs: Math.max(Math.round(pauseMs * (1 + JITTER * (2 * random() - 1))), askedMs),
      failed: true,
      offBecause: null,
    };
  };
}

export function isSuccess({ status }: Pick<Attempt, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}
