// Tests the queries for leases on every engine: one holder at a time, by the database's clock.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { deleteLease, upsertLease } from '../../src/platform/leases/lease-queries.ts';
import { onEveryEngine } from './engines.ts';
import { NOW_MS } from './samples.ts';

onEveryEngine('leases', (database) => {
  const at = (ms: number) => sql<number>`${sql.lit(ms)}`;
  const take = (name: string, holder: string, nowMs = NOW_MS, forMs = 10_000) =>
    database().write((transaction) => upsertLease(transaction, { name, holder, forMs }, at(nowMs)));
  const release = (name: string, holder: string) =>
    database().write((transaction) => deleteLease(transaction, name, holder));
  const find = async (name: string) => {
    const row = await database()
      .read.selectFrom('leases')
      .selectAll()
      .where('name', '=', name)
      .executeTakeFirst();
    return row && { holder: row.holder, untilMs: row.until_ms };
  };

  test('a free lease can be taken and is stored with its holder and its end', async () => {
    assert.equal(await take('free', 'one'), true);
    assert.deepEqual(await find('free'), { holder: 'one', untilMs: NOW_MS + 10_000 });
  });

  test('a lease of another holder cannot be taken before it ends, to the millisecond', async () => {
    assert.equal(await take('held', 'one'), true);
    assert.equal(await take('held', 'two'), false);
    assert.equal(await take('held', 'two', NOW_MS + 9_999), false);
    assert.equal((await find('held'))?.holder, 'one');
    assert.equal(await take('held', 'two', NOW_MS + 10_000), true);
    assert.deepEqual(await find('held'), { holder: 'two', untilMs: NOW_MS + 20_000 });
  });

  test('the holder can renew a lease, unless the holder has lost it', async () => {
    assert.equal(await take('renewed', 'one'), true);
    assert.equal(await take('renewed', 'one', NOW_MS + 3_000), true);
    assert.equal(await take('renewed', 'two', NOW_MS + 10_000), false);
    assert.equal(await take('renewed', 'two', NOW_MS + 13_000), true);
    assert.equal(await take('renewed', 'one', NOW_MS + 13_001), false);
  });

  test('a released lease is free at once, and only its holder can release it', async () => {
    assert.equal(await take('released', 'one'), true);
    await release('released', 'two');
    assert.equal(await take('released', 'two'), false);
    await release('released', 'one');
    assert.deepEqual(await find('released'), undefined);
    assert.equal(await take('released', 'two'), true);
  });

  test('leases with different names are independent', async () => {
    assert.equal(await take('sync of site 1', 'one'), true);
    assert.equal(await take('sync of site 2', 'two'), true);
  });

  test('of many concurrent callers exactly one takes a free or an ended lease', async () => {
    for (const nowMs of [NOW_MS, NOW_MS + 10_000]) {
      const input = (_: unknown, number: number) => take('wanted', `${nowMs} ${number}`, nowMs);
      const taken = await Promise.all(Array.from({ length: 30 }, input));
      assert.equal(taken.filter(Boolean).length, 1);
    }
  });

  test('the end of a lease is set by the database’s clock', async () => {
    const now = database().now();
    const job = { name: 'by the clock', holder: 'one', forMs: 60_000 };
    assert.equal(await database().write((transaction) => upsertLease(transaction, job, now)), true);
    const untilMs = (await find('by the clock'))?.untilMs ?? 0;
    assert.ok(Math.abs(untilMs - Date.now() - 60_000) < 30_000);
  });
});
