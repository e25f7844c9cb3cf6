// Tests looking up keys and counting their requests on PostgreSQL: no more than the limit within a minute from the
// first request, also with concurrent counting.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { asKeyId, type KeyId } from '../../src/kernel/ids.ts';
import { insertKey, markKeyRevoked, updateKey } from '../../src/kernel/keys/key-queries.ts';
import { countInWindow, MAX_AHEAD_MS, type RateWindow } from '../../src/kernel/keys/rate-window.ts';
import { makeLookUpKey } from '../../src/kernel/keys/rate-window-queries.ts';
import { makeSharedKeyLookup } from '../../src/kernel/keys/shared-key-store.ts';
import type { Handle } from '../../src/platform/database/database.ts';
import { onEngine, postgres } from './engines.ts';
import { addSite, NOW_MS, sampleKey } from './samples.ts';
import { untilOneWaits } from './until-one-waits.ts';

const HASH = Buffer.alloc(32, 1);

onEngine(postgres, 'looking up keys', (database) => {
  const limits = new Map<string, number>();
  /** Stores the key, or changes its limit. */
  async function keyWith(handle: Handle, key: string, limit: number): Promise<KeyId> {
    const id = asKeyId(key);
    if (!limits.has(key)) await insertKey(handle, { ...sampleKey(key), rateLimit: limit, hash: HASH });
    else if (limits.get(key) !== limit) await updateKey(handle, id, { rateLimit: limit });
    limits.set(key, limit);
    return id;
  }
  async function countIn(handle: Handle, key: string, limit: number, nowMs: number, requests = 1) {
    const id = await keyWith(handle, key, limit);
    const lookUp = makeLookUpKey(sql`${nowMs}::bigint`);
    const hash = HASH.toString('hex');
    const found = await lookUp(handle, { id, hash, nowMs, requests, siteId: null, count: true });
    assert.ok(found?.window);
    return found.window;
  }
  const count = (key: string, limit: number, nowMs: number, requests = 1) =>
    countIn(database().read, key, limit, nowMs, requests);

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

  test('the statement follows the rule of the rate window', async () => {
    const limits = [2, 5, 3, 1, 4];
    const groups = [1, 1, 4, 2, 1, 9, 3];
    const steps = [0, 1, 20_000, 39_998, 1, 1, 60_000, 59_999, 1, -50, -10_001, 60_000, -10_000, -1, 30_000];
    let window: RateWindow | undefined;
    for (let turn = 0; turn < 105; turn++) {
      const [limit = 1, requests = 1] = [limits[turn % limits.length], groups[turn % groups.length]];
      const nowMs = (window?.startedAtMs ?? NOW_MS) + (steps[turn % steps.length] ?? 0);
      const expected = countInWindow(window, { limit, nowMs, requests, maxAheadMs: MAX_AHEAD_MS });
      assert.deepEqual(await count('rule', limit, nowMs, requests), expected, `turn ${turn}`);
      window = expected;
    }
  });

  test('of many concurrent requests, exactly as many are accepted as the limit allows', async () => {
    await keyWith(database().read, 'crowd', 50);
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

  test('concurrent requests are looked up together, and each gets its own verdict', async () => {
    const id = await keyWith(database().read, 'at once', 4);
    const site = await addSite(database());
    const lookUp = makeSharedKeyLookup(database());
    const request = { id, hash: HASH, nowMs: NOW_MS };
    // The first look-up finds out that the key has a limit.
    await lookUp({ ...request, hash: Buffer.alloc(32, 2) });
    const found = await Promise.all([1, 2, 3, 4, 5, 6].map(() => lookUp({ ...request, siteId: site })));
    assert.deepEqual(
      found.map((key) => [key?.verdict?.accepted, key?.verdict?.left]),
      // The first request is counted alone. The other five form a group.
      [
        [true, 3],
        [true, 2],
        [true, 1],
        [true, 0],
        [false, 0],
        [false, 0],
      ],
    );
    assert.deepEqual(found.at(-1)?.list, { version: 0 });
  });

  test('the verdict gives the remaining requests and seconds, by the database’s clock', async () => {
    const id = await keyWith(database().read, 'verdict', 2);
    const lookUp = makeSharedKeyLookup(database());
    const countNow = async () => {
      const found = await lookUp({ id, hash: HASH, nowMs: NOW_MS });
      assert.ok(found?.verdict);
      assert.equal(found.list, undefined);
      return found.verdict;
    };
    const first = await countNow();
    assert.partialDeepStrictEqual(first, { accepted: true, limit: 2, left: 1, secondsLeft: 60 });
    assert.ok(Math.abs(first.resetAtMs - Date.now() - 60_000) < 30_000);
    assert.equal((await countNow()).left, 0);
    const third = await countNow();
    assert.deepEqual([third.accepted, third.left, third.resetAtMs], [false, 0, first.resetAtMs]);
    assert.ok(third.secondsLeft >= 1 && third.secondsLeft <= 60);
  });

  test('a request is not counted with a wrong, revoked, expired, unlimited or unknown key', async () => {
    const { read } = database();
    const lookUp = makeSharedKeyLookup(database());
    const verdict = async (key: string, hash = HASH) =>
      (await lookUp({ id: asKeyId(key), hash, nowMs: NOW_MS }))?.verdict;
    await keyWith(read, 'wrong', 5);
    await keyWith(read, 'revoked', 5);
    await markKeyRevoked(read, asKeyId('revoked'), NOW_MS);
    await insertKey(read, { ...sampleKey('expired'), rateLimit: 5, hash: HASH, expiresAtMs: NOW_MS });
    await keyWith(read, 'unlimited', 0);
    assert.equal(await verdict('wrong', Buffer.alloc(32, 2)), undefined);
    for (const key of ['revoked', 'expired', 'unlimited', 'unknown'])
      assert.equal(await verdict(key), undefined, key);
    const counted = await read.selectFrom('rate_windows').select('api_key_id').execute();
    const names = counted.map(({ api_key_id }) => api_key_id);
    assert.ok(!names.some((name) => ['wrong', 'revoked', 'expired', 'unlimited'].includes(name)));
  });
});
