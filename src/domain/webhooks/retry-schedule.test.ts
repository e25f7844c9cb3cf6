// Tests what follows from an attempt: ten attempts in about three days with jitter, a pause as long as the target asks
// for, deactivation if the target is gone, and at most one message per second to chats.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Attempt, Verdict } from './delivery.ts';
import { isSuccess, type JudgeAttempt, MAX_ATTEMPTS, makeJudgeAttempt } from './retry-schedule.ts';
import type { Format } from './webhook.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;

const even = makeJudgeAttempt({ random: () => 0.5, pace: 1 });

const answered = (status: number | null, retryAfterMs: number | null = null): Attempt => ({
  durationMs: 12,
  status,
  error: status === null ? 'read ECONNRESET' : null,
  answer: null,
  retryAfterMs,
});
const generic = (failures: number) => ({ format: 'generic' as const, failures });

/** Runs a delivery to its end and counts failures as the store does. */
function deliver(
  judgeAttempt: JudgeAttempt,
  statuses: (number | null)[],
  format: Format = 'generic',
  failures = 0,
) {
  const verdicts: Verdict[] = [];
  let failed = failures;
  for (const status of statuses) {
    const verdict = judgeAttempt(
      { webhook: { format, failures: failed }, attempts: verdicts.length },
      answered(status),
    );
    verdicts.push(verdict);
    failed = verdict.failed ? failed + 1 : 0;
    if (verdict.state !== 'waiting') break;
  }
  return { verdicts, failures: failed };
}

const sum = (verdicts: Verdict[]) => verdicts.reduce((total, { pauseMs }) => total + pauseMs, 0);
const always = (status: number | null) => new Array<number | null>(50).fill(status);

describe('a target that fails', () => {
  test('is tried ten times in about three days, then given up', () => {
    for (const random of [0, 0.5, 0.999_999]) {
      const { verdicts } = deliver(makeJudgeAttempt({ random: () => random, pace: 1 }), always(500));
      assert.deepEqual([verdicts.length, MAX_ATTEMPTS], [10, 10]);
      assert.deepEqual(
        verdicts.map(({ state }) => state),
        [...new Array(9).fill('waiting'), 'given-up'],
      );
      const days = sum(verdicts.slice(0, 9)) / DAY_MS;
      assert.ok(days > 2.5 && days < 3.5, `${days} days`);
      assert.ok(verdicts.every(({ failed, offBecause }) => failed && offBecause === null));
    }
  });

  test('is tried again within seconds at first, and then after longer and longer pauses', () => {
    const pauses = deliver(even, always(null))
      .verdicts.slice(0, 9)
      .map(({ pauseMs }) => pauseMs);
    assert.equal(pauses[0], 5 * SECOND_MS);
    assert.equal(pauses[8], 36 * HOUR_MS);
    assert.deepEqual(
      pauses,
      pauses.toSorted((a, b) => a - b),
    );
  });

  test('fails with any status other than 2xx, or without a response', () => {
    for (const status of [null, 0, 100, 199, 300, 301, 304, 400, 404, 429, 500, 599])
      assert.partialDeepStrictEqual(even({ webhook: generic(0), attempts: 0 }, answered(status)), {
        state: 'waiting',
        failed: true,
        offBecause: null,
      });
  });

  test('is tried every six hours after a delivery was given up', () => {
    const { failures } = deliver(even, always(500));
    assert.equal(failures, 10);
    const next = deliver(even, always(500), 'generic', failures);
    assert.equal(next.verdicts.length, 10);
    assert.ok(next.verdicts.every(({ pauseMs }) => pauseMs === 6 * HOUR_MS));
  });
});

test('each pause varies by at most a tenth', () => {
  const pauseWith = (random: number) =>
    makeJudgeAttempt({ random: () => random, pace: 1 })({ webhook: generic(3), attempts: 3 }, answered(500))
      .pauseMs;
  const middle = pauseWith(0.5);
  assert.equal(pauseWith(0), middle * 0.9);
  assert.equal(pauseWith(1 - Number.EPSILON), middle * 1.1);
  const real = makeJudgeAttempt({ random: Math.random, pace: 1 });
  const seen = Array.from(
    { length: 200 },
    () => real({ webhook: generic(3), attempts: 3 }, answered(500)).pauseMs,
  );
  assert.ok(seen.every((pauseMs) => pauseMs >= middle * 0.9 && pauseMs <= middle * 1.1));
  assert.ok(new Set(seen).size > 100, 'the pauses differ');
});

describe('a target that asks for a pause', () => {
  const pauseFor = (retryAfterMs: number | null, status = 429) =>
    even({ webhook: generic(0), attempts: 0 }, answered(status, retryAfterMs)).pauseMs;

  test('is not called during the pause, whatever its status', () => {
    for (const status of [302, 429, 503]) assert.equal(pauseFor(90 * SECOND_MS, status), 90 * SECOND_MS);
  });

  test('is not called sooner if it asks for a shorter pause', () => {
    for (const asked of [null, 0, 1, SECOND_MS]) assert.equal(pauseFor(asked), 5 * SECOND_MS);
  });

  test('is called again after a day at the latest', () => {
    assert.equal(pauseFor(DAY_MS), DAY_MS);
    assert.equal(pauseFor(365 * DAY_MS), DAY_MS);
  });

  test('is still given up after the tenth attempt', () => {
    const made = answered(429, HOUR_MS);
    assert.equal(even({ webhook: generic(9), attempts: 9 }, made).state, 'given-up');
  });
});

test('a target that responds with 410 is deactivated at once, with the reason', () => {
  for (const attempts of [0, 5, 9])
    assert.deepEqual(even({ webhook: generic(attempts), attempts }, answered(410, HOUR_MS)), {
      state: 'given-up',
      pauseMs: 0,
      failed: true,
      offBecause: 'the target said that it is gone for good (410)',
    });
});

describe('a target that accepts a message', () => {
  test('gets no further attempt, and its failures are reset', () => {
    const { verdicts, failures } = deliver(even, [500, null, 503, 204]);
    assert.deepEqual(verdicts.at(-1), { state: 'delivered', pauseMs: 0, failed: false, offBecause: null });
    assert.equal(failures, 0);
    assert.equal(deliver(even, [500], 'generic', failures).verdicts[0]?.pauseMs, 5 * SECOND_MS);
  });

  test('is a target that responds with 2xx', () => {
    for (const status of [200, 201, 202, 204, 299]) assert.ok(isSuccess({ status }));
    for (const status of [null, 0, 199, 300, 410]) assert.ok(!isSuccess({ status }));
  });

  test('may accept the message at the tenth attempt', () => {
    assert.equal(deliver(even, [...new Array(9).fill(500), 200]).verdicts.at(-1)?.state, 'delivered');
  });
});

describe('a chat', () => {
  test('gets at most one message per second, whatever its status', () => {
    for (const status of [200, 410, 500, null]) {
      const { pauseMs } = even({ webhook: { format: 'chat', failures: 0 }, attempts: 0 }, answered(status));
      assert.ok(pauseMs >= SECOND_MS, `${status}`);
    }
    assert.equal(deliver(even, [200], 'chat').verdicts[0]?.pauseMs, SECOND_MS);
  });

  test('gets a longer pause if it asks for one', () => {
    const made = answered(429, 30 * SECOND_MS);
    assert.equal(
      even({ webhook: { format: 'chat', failures: 0 }, attempts: 0 }, made).pauseMs,
      30 * SECOND_MS,
    );
  });
});

test('the pace shortens the service’s own pauses, but not a pause that a target asks for', () => {
  const quick = makeJudgeAttempt({ random: () => 0.5, pace: 0.001 });
  const before = { webhook: generic(0), attempts: 0 };
  assert.equal(quick(before, answered(500)).pauseMs, 5);
  assert.equal(quick(before, answered(500, SECOND_MS)).pauseMs, SECOND_MS);
  assert.equal(deliver(quick, [200], 'chat').verdicts[0]?.pauseMs, 1);
});
