// Decides what follows from a delivery attempt: delivered, repeated after a pause, or given up after ten attempts in
// about three days. The pause applies to the webhook, not to the delivery: the deliveries behind it wait too, which
// keeps the order.

import type { Attempt, Verdict } from './delivery.ts';
import type { Webhook } from './webhook.ts';

export const MAX_ATTEMPTS = 10;
/** After this many failed attempts in a row, about a quarter of an hour, a webhook is reported as failing. */
export const FAILING_AFTER_ATTEMPTS = 5;

/** At most one request per second to a chat. */
const CHAT_PAUSE_MS = 1_000;
/** The longest pause that a target may ask for. */
const MAX_RETRY_AFTER_MS = 24 * 60 * 60_000;
/** Each pause varies by up to this share, so that targets are not called in step. */
const JITTER = 0.1;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The pause after the first failure in a row, the second, and so on. */
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
/**
 * Once a delivery has been given up, the target counts as dead. It is still called, because it may come back at any
 * time.
 */
const PAUSE_OF_THE_DEAD_MS = 6 * HOUR_MS;

interface Before {
  webhook: Pick<Webhook, 'format' | 'failures'>;
  /** Previous attempts of this delivery. */
  attempts: number;
}

export type JudgeAttempt = (before: Before, made: Attempt) => Verdict;

/** `pace` scales the service's own pauses, not a pause that the target asks for; 1 is real time. */
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
