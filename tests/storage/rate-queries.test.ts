// Tests counting the requests of an API key on every engine: no more than the limit within a minute from the first
// request, also with concurrent counting.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { asKeyId } from '../../src/domain/ids.ts';
import { countInWindow, type RateWindow } from '../../src/domain/keys/rate-window.ts';
import type { Handle } from '../../src/storage/database.ts';
import { countInSharedWindow } from '../../src/storage/keys/rate-queries.ts';
import { makeSharedRateCounter } from '../../src/storage/keys/shared-rate-counter.ts';
import { onEveryEngine } from './engines.ts';
import { NOW_MS } from './samples.ts';
import { untilOneWaits } from './until-one-waits.ts';

onEveryEngine('rate windows', (database) => {
  const countIn = (transaction: Handle, key: string, limit: number, nowMs: number, requests = 1) =>
    countInSharedWindow({ read: transaction, now: () => sql`${sql.lit(nowMs)}` }, asKeyId(key), {
      limit,
      requests,
    });
  const count = (key: string, limit: number, nowMs: number, requests = 1) =>
    database().write((transaction) => countIn(transaction, key, limit, nowMs, requests));

  test('requests are counted up to the limit, and refused requests are not counted', async () => {
    const seen = [];
    for (let turn = 0; turn < 5; turn++) {
      const { counted, refused, startedAtMs } = await count('limit', 3, NOW_MS + turn);
      assert.equal(startedAtMs, NOW_MS);
      seen.push([counted, refused]);
    }
    assert.deepEqual(seen, [
      [1, 0],
      [2, 0],
      [3, 0],
      [3, 1],
      [3, 1],
    ]);
  });

  test('a window lasts a minute, to the millisecond', async () => {
    await count('minute', 1, NOW_MS);
    assert.equal((await count('minute', 1, NOW_MS + 59_999)).refused, 1);
    assert.deepEqual(await count('minute', 1, NOW_MS + 60_000), {
      startedAtMs: NOW_MS + 60_000,
      counted: 1,
      refused: 0,
      nowMs: NOW_MS + 60_000,
    });
  });

  test('a changed limit applies to the current window', async () => {
    for (let turn = 0; turn < 3; turn++) await count('changed', 10, NOW_MS);
    assert.equal((await count('changed', 2, NOW_MS)).refused, 1);
    assert.deepEqual((await count('changed', 4, NOW_MS)).counted, 4);
  });

  test('of requests counted together, as many are accepted as the limit still allows', async () => {
    const seen = [];
    for (const [requests, limit] of [
      [3, 5],
      [4, 5],
      [2, 5],
      [9, 4],
      [9, 7],
    ] as const) {
      const { counted, refused } = await count('together', limit, NOW_MS, requests);
      seen.push([counted, refused]);
    }
    assert.deepEqual(seen, [
      [3, 0],
      [5, 2],
      [5, 2],
      [5, 9],
      [7, 7],
    ]);
    assert.partialDeepStrictEqual(await count('together', 4, NOW_MS + 60_000, 6), { counted: 4, refused: 2 });
    assert.partialDeepStrictEqual(await count('together at first', 4, NOW_MS, 6), { counted: 4, refused: 2 });
  });

  test('each key has its own window', async () => {
    assert.equal((await count('mine', 1, NOW_MS)).refused, 0);
    assert.equal((await count('yours', 1, NOW_MS)).refused, 0);
  });

  test('after the clock was set back, no key is blocked for longer than a window', async () => {
    await count('set back', 1, NOW_MS);
    const { refused, startedAtMs } = await count('set back', 1, NOW_MS - 3_600_000);
    assert.deepEqual([refused, startedAtMs], [0, NOW_MS - 3_600_000]);
  });

  test('a request that read the clock just before the window was opened does not open it again', async () => {
    await count('overtaken', 2, NOW_MS);
    await count('overtaken', 2, NOW_MS + 1);
    const late = await count('overtaken', 2, NOW_MS - 50);
    assert.deepEqual([late.refused, late.counted, late.startedAtMs], [1, 2, NOW_MS]);
  });

  test('the shared window and the window in memory follow the same rule', async () => {
    let window: RateWindow | undefined;
    for (const [index, pauseMs] of [0, 1, 20_000, 39_998, 1, 1, 60_000, 59_999, 1].entries()) {
      const nowMs = (window?.startedAtMs ?? NOW_MS) + pauseMs;
      const shared = await count('both', 2, nowMs);
      const inMemory = countInWindow(window, 2, nowMs);
      assert.deepEqual(
        [shared.startedAtMs, shared.counted, shared.refused === 0],
        [inMemory.window.startedAtMs, inMemory.window.counted, inMemory.verdict.accepted],
        `request ${index}`,
      );
      window = inMemory.window;
    }
  });

  test('of many concurrent requests, exactly as many are accepted as the limit allows', async () => {
    const counted = await Promise.all(Array.from({ length: 200 }, () => count('crowd', 50, NOW_MS)));
    assert.equal(counted.filter(({ refused }) => refused === 0).length, 50);
  });

  test('a request that waited for the row while another request filled the window is refused', async () => {
    await count('filled', 50, NOW_MS - 60_000);
    const filled = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const filling = database().write(async (transaction) => {
      for (let turn = 0; turn < 50; turn++) await countIn(transaction, 'filled', 50, NOW_MS + 40);
      filled.resolve();
      await release.promise;
    });
    await Promise.race([filled.promise, filling]);
    const counting = count('filled', 50, NOW_MS);
    await untilOneWaits(database());
    release.resolve();
    await filling;
    assert.equal((await counting).refused, 1);
  });

  test('concurrent requests are counted together, and each gets its own verdict', async () => {
    let statements = 0;
    const counting = {
      ...database(),
      now: () => {
        statements++;
        return database().now();
      },
    };
    const verdicts = await database().write((transaction) => {
      const { count: countOne } = makeSharedRateCounter({ ...counting, read: transaction });
      return Promise.all([5, 5, 5, 5, 5, 5, 9].map((limit) => countOne(asKeyId('at once'), limit)));
    });
    // The first request is counted alone, and the request with another limit separately. The other five form a group.
    const shared = verdicts.slice(0, 6).map(({ accepted, left }) => [accepted, left]);
    assert.equal(shared.filter(([accepted]) => accepted).length, 4);
    assert.deepEqual(shared.at(-1), [false, 0]);
    assert.equal(statements, 3);
  });

  test('the verdict gives the remaining requests and seconds, by the database’s clock', async () => {
    const countNow = () =>
      database().write(async (transaction) =>
        makeSharedRateCounter({ ...database(), read: transaction }).count(asKeyId('verdict'), 2),
      );
    const first = await countNow();
    assert.partialDeepStrictEqual(first, { accepted: true, limit: 2, left: 1, secondsLeft: 60 });
    assert.ok(Math.abs(first.resetAtMs - Date.now() - 60_000) < 30_000);
    assert.equal((await countNow()).left, 0);
    const third = await countNow();
    assert.deepEqual([third.accepted, third.left, third.resetAtMs], [false, 0, first.resetAtMs]);
    assert.ok(third.secondsLeft >= 1 && third.secondsLeft <= 60);
  });
});
