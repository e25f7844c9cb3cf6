// Tests the rule of the rate limit: a fixed window of 60 seconds that begins with the first counted request.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countInWindow, MAX_AHEAD_MS, type RateVerdict, type RateWindow, verdictOn } from './rate-window.ts';

const T0 = 1_768_476_531_250;

/** A caller with a limit; returns the verdict on each request. */
function makeCaller(limit: number) {
  let window: RateWindow | undefined;
  return (nowMs: number, changedLimit = limit): RateVerdict => {
    const counted = countInWindow(window, { limit: changedLimit, nowMs });
    window = counted;
    return verdictOn(1, { limit: changedLimit }, counted);
  };
}

test('requests up to the limit are accepted, and the next one is refused until the window ends', () => {
  const request = makeCaller(3);
  assert.deepEqual(
    [0, 1, 2].map((ms) => request(T0 + ms).accepted),
    [true, true, true],
  );
  assert.equal(request(T0 + 3).accepted, false);
  assert.equal(request(T0 + 59_999).accepted, false);
  assert.equal(request(T0 + 60_000).accepted, true);
});

test('the number of remaining requests counts down to zero and not below', () => {
  const request = makeCaller(2);
  assert.deepEqual(
    [0, 1, 2, 3].map((ms) => request(T0 + ms).left),
    [1, 0, 0, 0],
  );
});

test('refused requests are not counted and do not extend the window', () => {
  const request = makeCaller(1);
  request(T0);
  for (let ms = 1; ms < 60_000; ms += 997) assert.equal(request(T0 + ms).resetAtMs, T0 + 60_000);
  const next = request(T0 + 60_000);
  assert.deepEqual([next.accepted, next.left, next.resetAtMs], [true, 0, T0 + 120_000]);
});

test('a window begins with the first request after the previous window, not on the minute', () => {
  const request = makeCaller(5);
  assert.equal(request(T0).resetAtMs, T0 + 60_000);
  assert.equal(request(T0 + 200_000).resetAtMs, T0 + 260_000);
});

test('a request sent after the given number of seconds is accepted', () => {
  for (const refusedAfterMs of [0, 1, 999, 1_000, 1_001, 30_500, 59_000, 59_001, 59_999]) {
    const request = makeCaller(1);
    request(T0);
    const { accepted, secondsLeft } = request(T0 + refusedAfterMs);
    assert.equal(accepted, false);
    assert.ok(secondsLeft >= 1 && secondsLeft <= 60, `${secondsLeft} s after ${refusedAfterMs} ms`);
    assert.equal(
      request(T0 + refusedAfterMs + secondsLeft * 1_000).accepted,
      true,
      `after ${refusedAfterMs} ms`,
    );
  }
});

test('the given number of seconds is not longer than needed', () => {
  const request = makeCaller(1);
  request(T0);
  assert.equal(request(T0 + 1).secondsLeft, 60);
  assert.equal(request(T0 + 1_000).secondsLeft, 59);
  assert.equal(request(T0 + 59_999).secondsLeft, 1);
});

test('a changed limit applies from the next request on, within the same window', () => {
  const request = makeCaller(1);
  request(T0);
  assert.equal(request(T0 + 1).accepted, false);
  assert.deepEqual([request(T0 + 2, 3).accepted, request(T0 + 3, 3).accepted], [true, true]);
  const lowered = request(T0 + 4, 1);
  assert.deepEqual([lowered.accepted, lowered.left, lowered.limit], [false, 0, 1]);
});

test('after the clock was set back, no request is refused for longer than a window', () => {
  const request = makeCaller(1);
  request(T0);
  const back = request(T0 - 3_600_000);
  assert.deepEqual([back.accepted, back.resetAtMs], [true, T0 - 3_600_000 + 60_000]);
});

test('of requests that are counted together, the first ones are accepted, and each is told what is left after it', () => {
  const together = { limit: 5, nowMs: T0, requests: 4 };
  const counted = countInWindow({ startedAtMs: T0 - 1, counted: 2 }, together);
  assert.deepEqual(counted, { startedAtMs: T0 - 1, counted: 5, refused: 1, nowMs: T0 });
  const verdicts = [1, 2, 3, 4].map((place) => verdictOn(place, together, counted));
  assert.deepEqual(
    verdicts.map(({ accepted, left }) => [accepted, left]),
    [
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
    ],
  );
});

test('a shared window that began slightly later than a request read the clock is not opened again', () => {
  const later = { startedAtMs: T0 + MAX_AHEAD_MS, counted: 1 };
  const request = { limit: 1, nowMs: T0, maxAheadMs: MAX_AHEAD_MS };
  assert.partialDeepStrictEqual(countInWindow(later, request), {
    startedAtMs: T0 + MAX_AHEAD_MS,
    refused: 1,
  });
  const farAhead = { ...later, startedAtMs: T0 + MAX_AHEAD_MS + 1 };
  assert.partialDeepStrictEqual(countInWindow(farAhead, request), { startedAtMs: T0, refused: 0 });
});
