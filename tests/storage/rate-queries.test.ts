// Counting a key's requests in its window, on every engine: no more than the limit in a minute that begins
// with the first of them, whoever else counts at the same time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { asKeyId } from '../../src/domain/ids.ts';
import { countInWindow, type RateWindow } from '../../src/domain/keys/rate-window.ts';
import type { Handle } from '../../src/storage/database.ts';
import { countInSharedWindow } from '../../src/storage/rate-queries.ts';
import { makeSharedRateCounter } from '../../src/storage/shared-rate-counter.ts';
import { onEveryEngine } from './engines.ts';
import { NOW_MS } from './samples.ts';

onEveryEngine('rate windows', (database) => {
  const countIn = (transaction: Handle, key: string, limit: number, nowMs: number) =>
    countInSharedWindow({ read: transaction, now: () => sql`${sql.lit(nowMs)}` }, asKeyId(key), limit);
  const count = (key: string, limit: number, nowMs: number) =>
    database().write((transaction) => countIn(transaction, key, limit, nowMs));

  test('requests are counted up to the limit, and the refused are not counted', async () => {
    const seen = [];
    for (let turn = 0; turn < 5; turn++) {
      const { counted, refused, startedAtMs } = await count('limit', 3, NOW_MS + turn);
      assert.equal(startedAtMs, NOW_MS);
      seen.push([counted, refused]);
    }
    assert.deepEqual(seen, [
      [1, false],
      [2, false],
      [3, false],
      [3, true],
      [3, true],
    ]);
  });

  test('a window lasts a minute, to the millisecond', async () => {
    await count('minute', 1, NOW_MS);
    assert.equal((await count('minute', 1, NOW_MS + 59_999)).refused, true);
    assert.deepEqual(await count('minute', 1, NOW_MS + 60_000), {
      startedAtMs: NOW_MS + 60_000,
      counted: 1,
      refused: false,
      nowMs: NOW_MS + 60_000,
    });
  });

  test('a limit that is changed holds in the window that runs', async () => {
    for (let turn = 0; turn < 3; turn++) await count('changed', 10, NOW_MS);
    assert.equal((await count('changed', 2, NOW_MS)).refused, true);
    assert.deepEqual((await count('changed', 4, NOW_MS)).counted, 4);
  });

  test('keys have windows of their own', async () => {
    assert.equal((await count('mine', 1, NOW_MS)).refused, false);
    assert.equal((await count('yours', 1, NOW_MS)).refused, false);
  });

  test('a clock that was set back keeps nobody out for longer than a window', async () => {
    await count('set back', 1, NOW_MS);
    const { refused, startedAtMs } = await count('set back', 1, NOW_MS - 3_600_000);
    assert.deepEqual([refused, startedAtMs], [false, NOW_MS - 3_600_000]);
  });

  test('who read the clock a little before another opened the window does not open it again', async () => {
    await count('overtaken', 2, NOW_MS);
    await count('overtaken', 2, NOW_MS + 1);
    const late = await count('overtaken', 2, NOW_MS - 50);
    assert.deepEqual([late.refused, late.counted, late.startedAtMs], [true, 2, NOW_MS]);
  });

  test('the shared window and the one in memory follow one rule', async () => {
    let window: RateWindow | undefined;
    for (const [index, pauseMs] of [0, 1, 20_000, 39_998, 1, 1, 60_000, 59_999, 1].entries()) {
      const nowMs = (window?.startedAtMs ?? NOW_MS) + pauseMs;
      const shared = await count('both', 2, nowMs);
      const inMemory = countInWindow(window, 2, nowMs);
      assert.deepEqual(
        [shared.startedAtMs, shared.counted, !shared.refused],
        [inMemory.window.startedAtMs, inMemory.window.counted, inMemory.verdict.accepted],
        `request ${index}`,
      );
      window = inMemory.window;
    }
  });

  test('of many at once exactly as many pass as the limit allows', async () => {
    const counted = await Promise.all(Array.from({ length: 200 }, () => count('crowd', 50, NOW_MS)));
    assert.equal(counted.filter(({ refused }) => !refused).length, 50);
  });

  test('a request that waited for its turn while another filled the window is refused', async () => {
    await count('filled', 50, NOW_MS - 60_000);
    const filling = database().write(async (transaction) => {
      for (let turn = 0; turn < 50; turn++) await countIn(transaction, 'filled', 50, NOW_MS + 40);
      await sleep(100);
    });
    await sleep(20);
    const { refused } = await count('filled', 50, NOW_MS);
    await filling;
    assert.equal(refused, true);
  });

  test('the verdict says what is left and for how many seconds, by the clock of the database', async () => {
    const countNow = () =>
      database().write((transaction) =>
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
