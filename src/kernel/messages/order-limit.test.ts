// Tests the number of mails that one actor can order in an hour, also with orders that overlap.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ORDERED_PER_HOUR, makeOrderLimit } from './order-limit.ts';

const HOUR_MS = 60 * 60_000;
const NOW_MS = 100 * HOUR_MS;
const KEY = 'API: Rezeption';
const MAILS = { kind: 'too-many-mails', by: KEY } as const;

/** Mails by actor, each with the time of its order. */
function setup() {
  const stored: { orderedBy: string; atMs: number }[] = [];
  let beforeRead = async () => {};
  const ordered = (orderedBy: string, sinceMs: number) =>
    stored
      .filter((mail) => mail.orderedBy === orderedBy && mail.atMs > sinceMs)
      .map(({ atMs }) => atMs)
      .toSorted((one, other) => one - other);
  const limit = makeOrderLimit({
    clock: { nowMs: () => NOW_MS },
    counts: {
      async countOrdered(orderedBy, sinceMs) {
        const { length } = ordered(orderedBy, sinceMs);
        await beforeRead();
        return length;
      },
      findOrderedAt: async (orderedBy, sinceMs, index) => ordered(orderedBy, sinceMs)[index],
    },
  });
  const store = (count: number, orderedBy = KEY, atMs = NOW_MS) =>
    stored.push(...new Array(count).fill({ orderedBy, atMs }));
  return { limit, store, wait: (until: Promise<void>) => (beforeRead = () => until) };
}

test('500 mails in an hour are allowed, and the 501st is not until the first is an hour old', async () => {
  const { limit, store } = setup();
  store(1, KEY, NOW_MS - HOUR_MS + 90_000);
  store(MAX_ORDERED_PER_HOUR - 2);
  store(1_000, KEY, NOW_MS - HOUR_MS);
  store(1_000, 'API: Website');
  const taken = await limit.take(MAILS, 1);
  assert.ok(taken.ok);
  assert.deepEqual(await limit.take(MAILS, 1), {
    ok: false,
    problem: { kind: 'too-many-mails', retryAfterS: 90 },
  });
  taken.value[Symbol.dispose]();
  assert.equal((await limit.take(MAILS, 1)).ok, true);
});

test('an order of several vouchers counts as a whole, and waits until enough mails are an hour old', async () => {
  const { limit, store } = setup();
  store(1, KEY, NOW_MS - 50 * 60_000);
  store(1, KEY, NOW_MS - 30 * 60_000);
  const retryAfterS = async (count: number) => {
    using taken = new DisposableStack();
    const result = await limit.take(MAILS, count);
    if (result.ok) taken.use(result.value);
    return result.ok ? 0 : result.problem.retryAfterS;
  };
  assert.equal(await retryAfterS(MAX_ORDERED_PER_HOUR - 2), 0);
  assert.equal(await retryAfterS(MAX_ORDERED_PER_HOUR - 1), 600);
  assert.equal(await retryAfterS(MAX_ORDERED_PER_HOUR), 1_800);
});

test('orders that overlap count, also while they are being stored, and those refused do not', async () => {
  const { limit, store, wait } = setup();
  store(MAX_ORDERED_PER_HOUR - 10);
  const { promise, resolve } = Promise.withResolvers<void>();
  wait(promise);
  const orders = Promise.all(Array.from({ length: 20 }, () => limit.take(MAILS, 1)));
  resolve();
  assert.equal((await orders).filter(({ ok }) => ok).length, 10);

  const late = setup();
  late.store(MAX_ORDERED_PER_HOUR - 1);
  const first = await late.limit.take(MAILS, 1);
  const stopped = Promise.withResolvers<void>();
  late.wait(stopped.promise);
  const second = late.limit.take(MAILS, 1);
  late.store(1);
  assert.ok(first.ok);
  first.value[Symbol.dispose]();
  stopped.resolve();
  assert.equal((await second).ok, false, 'the first was stored after the second had read');
});

test('the pause is never negative and never longer than an hour, whatever the clock showed', async () => {
  for (const [atMs, expected] of [
    [NOW_MS + 800 * 24 * HOUR_MS, 3_600],
    [NOW_MS - HOUR_MS + 1, 1],
  ] as const) {
    const { limit, store } = setup();
    store(MAX_ORDERED_PER_HOUR, KEY, atMs);
    const refused = await limit.take(MAILS, 1);
    assert.ok(!refused.ok);
    assert.equal(refused.problem.retryAfterS, expected);
  }
});
