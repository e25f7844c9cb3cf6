// Tests what follows from an attempt: ten attempts in about three days with jitter, a pause as long as the recipient
// asks for, and outcomes that end a message at once.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type JudgeAttempt, MAX_ATTEMPTS, makeJudgeAttempt } from './judge-attempt.ts';
import type { Attempt, AttemptOutcome, Verdict } from './message.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;

const even = makeJudgeAttempt({ random: () => 0.5, pace: 1 });

const made: Attempt = { durationMs: 12, status: null, error: 'read ECONNRESET', response: null };
const DONE: AttemptOutcome = { ...made, result: 'done' };
const LATER: AttemptOutcome = { ...made, result: 'later', pauses: 'recipient', retryAfterMs: null };
const askedFor = (retryAfterMs: number | null): AttemptOutcome => ({ ...LATER, retryAfterMs });

/** Sends one message to its end and counts failures as the queue does. */
function send(judgeAttempt: JudgeAttempt, outcomes: AttemptOutcome[], failures = 0) {
  const verdicts: Verdict[] = [];
  let failed = failures;
  for (const outcome of outcomes) {
    const verdict = judgeAttempt({ failures: failed, attempts: verdicts.length }, outcome);
    verdicts.push(verdict);
    failed = verdict.failed ? failed + 1 : 0;
    if (verdict.state !== 'waiting') break;
  }
  return { verdicts, failures: failed };
}

const sum = (verdicts: Verdict[]) => verdicts.reduce((total, { pauseMs }) => total + pauseMs, 0);
const always = (outcome: AttemptOutcome) => new Array<AttemptOutcome>(50).fill(outcome);

describe('a recipient that fails', () => {
  test('is tried ten times in about three days, then the message is given up', () => {
    for (const random of [0, 0.5, 0.999_999]) {
      const { verdicts } = send(makeJudgeAttempt({ random: () => random, pace: 1 }), always(LATER));
      assert.deepEqual([verdicts.length, MAX_ATTEMPTS], [10, 10]);
      assert.deepEqual(
        verdicts.map(({ state }) => state),
        [...new Array(9).fill('waiting'), 'failed'],
      );
      const days = sum(verdicts.slice(0, 9)) / DAY_MS;
      assert.ok(days > 2.5 && days < 3.5, `${days} days`);
      assert.ok(verdicts.every(({ failed, offBecause }) => failed && offBecause === null));
    }
  });

  test('is tried again within seconds at first, and then after longer and longer pauses', () => {
    const pauses = send(even, always(LATER))
      .verdicts.slice(0, 9)
      .map(({ pauseMs }) => pauseMs);
    assert.equal(pauses[0], 5 * SECOND_MS);
    assert.equal(pauses[8], 36 * HOUR_MS);
    assert.deepEqual(
      pauses,
      pauses.toSorted((a, b) => a - b),
    );
  });

  test('is tried every six hours after a message was given up', () => {
    const { failures } = send(even, always(LATER));
    assert.equal(failures, 10);
    const next = send(even, always(LATER), failures);
    assert.equal(next.verdicts.length, 10);
    assert.ok(next.verdicts.every(({ pauseMs }) => pauseMs === 6 * HOUR_MS));
  });
});

test('a message that has to wait alone is paused by its own attempts, and its recipient is not', () => {
  const verdict = even({ failures: 8, attempts: 1 }, { ...LATER, pauses: 'message' });
  assert.partialDeepStrictEqual(verdict, { state: 'waiting', pauses: 'message', pauseMs: 30 * SECOND_MS });
});

test('each pause varies by at most a tenth', () => {
  const before = { failures: 3, attempts: 3 };
  const pauseWith = (random: number) =>
    makeJudgeAttempt({ random: () => random, pace: 1 })(before, LATER).pauseMs;
  const middle = pauseWith(0.5);
  assert.equal(pauseWith(0), middle * 0.9);
  assert.equal(pauseWith(1 - Number.EPSILON), middle * 1.1);
  const real = makeJudgeAttempt({ random: Math.random, pace: 1 });
  const seen = Array.from({ length: 200 }, () => real(before, LATER).pauseMs);
  assert.ok(seen.every((pauseMs) => pauseMs >= middle * 0.9 && pauseMs <= middle * 1.1));
  assert.ok(new Set(seen).size > 100, 'the pauses differ');
});

describe('a recipient that asks for a pause', () => {
  const pauseFor = (retryAfterMs: number | null) =>
    even({ failures: 0, attempts: 0 }, askedFor(retryAfterMs)).pauseMs;

  test('is not called during the pause', () => {
    assert.equal(pauseFor(90 * SECOND_MS), 90 * SECOND_MS);
  });

  test('is not called sooner if it asks for a shorter pause', () => {
    for (const asked of [null, 0, 1, SECOND_MS]) assert.equal(pauseFor(asked), 5 * SECOND_MS);
  });

  test('is called again after a day at the latest', () => {
    assert.equal(pauseFor(DAY_MS), DAY_MS);
    assert.equal(pauseFor(365 * DAY_MS), DAY_MS);
  });

  test('gets no more than ten attempts at a message', () => {
    assert.equal(even({ failures: 9, attempts: 9 }, askedFor(HOUR_MS)).state, 'failed');
  });
});

test('a message that will never be accepted is given up at once', () => {
  const never = { ...made, result: 'never' } as const;
  for (const attempts of [0, 5, 9]) {
    const before = { failures: attempts, attempts };
    assert.partialDeepStrictEqual(even(before, never), {
      state: 'failed',
      pauses: 'message',
      offBecause: null,
    });
    assert.deepEqual(even(before, { ...never, offBecause: 'gone for good' }), {
      state: 'failed',
      pauses: 'recipient',
      pauseMs: 0,
      failed: true,
      isCounted: true,
      offBecause: 'gone for good',
    });
  }
});

test('a message never ends because of the set-up of its recipient, which is tried every ten minutes', () => {
  const fault = { ...LATER, isFaultOfRecipient: true } as const;
  const pauses = [0, 1, 2, 3, 4, 500].map((failures) => {
    const { pauseMs, ...rest } = even({ failures, attempts: 9 }, fault);
    assert.deepEqual(rest, {
      state: 'waiting',
      pauses: 'recipient',
      failed: true,
      isCounted: false,
      offBecause: null,
    });
    return pauseMs / SECOND_MS;
  });
  assert.deepEqual(pauses, [5, 30, 120, 600, 600, 600]);
});

test('the longest pause of a recipient may be shorter, after a fault and after an unknown outcome', () => {
  const maxPauseMs = 10 * SECOND_MS;
  for (const outcome of [
    { ...LATER, isFaultOfRecipient: true, maxPauseMs } as const,
    { ...made, result: 'unknown', maxPauseMs } as const,
  ]) {
    const pauses = [0, 1, 500].map((failures) => even({ failures, attempts: 0 }, outcome).pauseMs);
    assert.deepEqual(pauses, [5 * SECOND_MS, maxPauseMs, maxPauseMs]);
  }
});

test('a message that is no longer of use, or too late, ends at once, and is no failure', () => {
  for (const result of ['cancelled', 'expired'] as const)
    assert.deepEqual(even({ failures: 3, attempts: 9 }, { ...made, result }), {
      state: result,
      pauses: 'message',
      pauseMs: 0,
      failed: false,
      isCounted: false,
      offBecause: null,
    });
});

test('a message whose outcome is unknown is not repeated', () => {
  const verdict = even({ failures: 0, attempts: 0 }, { ...made, result: 'unknown' });
  assert.partialDeepStrictEqual(verdict, { state: 'uncertain', failed: true });
});

test('after an unknown outcome the recipient is paused, so that the messages behind do not end the same way', () => {
  const pauses = [0, 1, 12].map(
    (failures) => even({ failures, attempts: 0 }, { ...made, result: 'unknown' }).pauseMs,
  );
  assert.deepEqual(pauses, [5 * SECOND_MS, 30 * SECOND_MS, 6 * HOUR_MS]);
});

describe('a recipient that accepts a message', () => {
  test('gets no further attempt, and its failures are reset', () => {
    const { verdicts, failures } = send(even, [LATER, LATER, LATER, DONE]);
    assert.deepEqual(verdicts.at(-1), {
      state: 'done',
      pauses: 'recipient',
      pauseMs: 0,
      failed: false,
      isCounted: true,
      offBecause: null,
    });
    assert.equal(failures, 0);
    assert.equal(send(even, [LATER], failures).verdicts[0]?.pauseMs, 5 * SECOND_MS);
  });

  test('may accept the message at the tenth attempt', () => {
    assert.equal(send(even, [...new Array(9).fill(LATER), DONE]).verdicts.at(-1)?.state, 'done');
  });

  test('is called again after the pause that its channel keeps', () => {
    assert.equal(send(even, [{ ...DONE, pauseMs: SECOND_MS }]).verdicts[0]?.pauseMs, SECOND_MS);
  });
});

test('the pace shortens the service’s own pauses, but not a pause that a recipient asks for', () => {
  const quick = makeJudgeAttempt({ random: () => 0.5, pace: 0.001 });
  const before = { failures: 0, attempts: 0 };
  assert.equal(quick(before, LATER).pauseMs, 5);
  assert.equal(quick(before, askedFor(SECOND_MS)).pauseMs, SECOND_MS);
});
