// Decides what happens after an attempt to send a message: the message is done, repeated after a pause, or given up
// after ten attempts in about three days. A pause applies to this message only, or to all messages to the recipient. A
// message is never given up because of the recipient's set-up.

import type { AttemptOutcome, Message, MessageState, Verdict } from './message.ts';

export const MAX_ATTEMPTS = 10;
/**
 * After this many failed attempts in a row, which take about a quarter of an hour, a recipient is reported as failing.
 */
export const FAILING_AFTER_ATTEMPTS = 5;

/** The longest pause that a recipient may ask for. */
const MAX_RETRY_AFTER_MS = 24 * 60 * 60_000;
/** Each pause varies by up to this share, so that not all recipients are called at the same time. */
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
 * The pause between calls to a recipient after a message to it was given up. The calls go on, because the recipient may
 * work again at any time.
 */
const PAUSE_AFTER_GIVING_UP_MS = 6 * HOUR_MS;

/** The longest pause because of a fault in the recipient's set-up, which an administrator may mend at any time. */
const MAX_SETUP_PAUSE_MS = 10 * MINUTE_MS;

/** `before`: the numbers without the attempt that is judged. */
export type JudgeAttempt = (
  before: Pick<Message, 'attempts' | 'failures'>,
  outcome: AttemptOutcome,
) => Verdict;

/** `pace` is a factor for the service's own pauses, not for a pause that the recipient asks for. 1 means real time. */
export function makeJudgeAttempt({ random, pace }: { random: () => number; pace: number }): JudgeAttempt {
  const pauseAfter = (failures: number, maxMs = Number.POSITIVE_INFINITY) => {
    const pauseMs = Math.min(PAUSES_MS[failures] ?? PAUSE_AFTER_GIVING_UP_MS, maxMs);
    return Math.round(pauseMs * pace * (1 + JITTER * (2 * random() - 1)));
  };

  return function judgeAttempt({ attempts, failures }, outcome) {
    switch (outcome.result) {
      case 'done':
        return ended('done', { failed: false, pauseMs: outcome.pauseMs ?? 0 });
      case 'never':
        return outcome.offBecause === undefined
          ? ended('failed', { pauses: 'message' })
          : ended('failed', { offBecause: outcome.offBecause });
      case 'unknown':
        return ended('uncertain', { pauseMs: pauseAfter(failures, outcome.maxPauseMs) });
      case 'cancelled':
      case 'expired':
        return ended(outcome.result, { pauses: 'message', failed: false, isCounted: false });
      case 'later': {
        const { pauses, retryAfterMs, maxPauseMs = MAX_SETUP_PAUSE_MS } = outcome;
        if (outcome.isFaultOfRecipient) return waits(pauseAfter(failures, maxPauseMs));
        const askedMs = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
        return {
          state: attempts + 1 >= MAX_ATTEMPTS ? 'failed' : 'waiting',
          pauses,
          pauseMs: Math.max(pauseAfter(pauses === 'recipient' ? failures : attempts), askedMs),
          failed: true,
          isCounted: true,
          offBecause: null,
        };
      }
    }
  };
}

function ended(state: Exclude<MessageState, 'waiting'>, rest: Partial<Verdict> = {}): Verdict {
  return { state, pauses: 'recipient', pauseMs: 0, failed: true, isCounted: true, offBecause: null, ...rest };
}

function waits(pauseMs: number): Verdict {
  return { state: 'waiting', pauses: 'recipient', pauseMs, failed: true, isCounted: false, offBecause: null };
}
