// Tests the stores of usage sync: each method is one transaction, changes raise the list version, and a voucher that an
// open intent could claim is not imported.

import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { asSiteId, asVoucherId, type SiteId } from '../../src/kernel/ids.ts';
import { makeInstanceStore } from '../../src/kernel/instances/instance-store.ts';
import { type SyncStore, staleAfterMs } from '../../src/kernel/sites/site-sync.ts';
import { makeSyncStore, makeUsageStore } from '../../src/kernel/vouchers/storage/usage-store.ts';
import { makeVoucherStore } from '../../src/kernel/vouchers/storage/voucher-store.ts';
import type { UsageStore } from '../../src/kernel/vouchers/usage-records.ts';
import type { VoucherStore } from '../../src/kernel/vouchers/voucher-records.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, codeOf, NOW_MS, sampleIntent, sampleOrder, sampleUpstream, seal } from './samples.ts';

const NOBODY = asSiteId(2_147_483_647);

onEveryEngine('stores of usage sync', (database) => {
  let usage: UsageStore;
  let vouchers: VoucherStore;
  let syncs: SyncStore;
  let site: SiteId;
  let other: SiteId;
  before(() => {
    usage = makeUsageStore(database());
    vouchers = makeVoucherStore(database(), seal);
    syncs = makeSyncStore(database(), 60, async () => {});
  });
  beforeEach(async () => {
    [site, other] = [await addSite(database()), await addSite(database())];
  });

  const foreign = (id: string, name = 'Tagung') => sampleUpstream(id, { name });
  const ids = async () =>
    (await usage.readExpected(site, asVoucherId(0), 1_000)).map((voucher) => voucher.controllerVoucherId);
  const known = async (...wanted: string[]) =>
    (await usage.findKnown(site, wanted)).sort((one, two) => one.id - two.id);
  const versions = async () => [await vouchers.listVersion(site), await vouchers.listVersion(other)];
  const rows = (table: 'outbox' | 'audit') => database().read.selectFrom(table).selectAll().execute();

  test('an import returns the number of new vouchers and raises the list version only if it is not 0', async () => {
    assert.equal(await usage.importForeign(site, [foreign('a'), foreign('b')]), 2);
    assert.deepEqual(await versions(), [1, 0]);
    assert.equal(await usage.importForeign(site, [foreign('a'), foreign('b'), foreign('c')]), 1);
    assert.deepEqual(await versions(), [2, 0]);
    assert.equal(await usage.importForeign(site, [foreign('a'), foreign('b')]), 0);
    assert.equal(await usage.importForeign(site, []), 0);
    assert.deepEqual(await versions(), [2, 0]);
    assert.deepEqual(await ids(), ['a', 'b', 'c']);
  });

  test('listed vouchers whose records have an id cost no transaction', async () => {
    const listed = [foreign('a'), foreign('b')];
    await usage.importForeign(site, listed);
    await makeUsageStore({ ...database(), write: () => assert.fail() }).adopt(site, listed);
  });

  test('requests are served during a large import', async () => {
    const listed = Array.from({ length: 1_000 }, (_, index) => foreign(`large ${index}`));
    let turns = 0;
    const count = () => {
      turns++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    assert.equal(await usage.importForeign(site, listed), listed.length);
    clearImmediate(next);
    assert.ok(turns >= 20, `the event loop turned ${turns} times`);
  });

  test('an import creates no notification and no audit entry', async () => {
    const before = [await rows('outbox'), await rows('audit')];
    await usage.importForeign(site, [foreign('a')]);
    assert.deepEqual([await rows('outbox'), await rows('audit')], before);
  });

  test('a voucher with the name of an open intent of the site is not imported', async () => {
    const opened = await vouchers.begin(sampleIntent(site));
    assert.ok(opened.ok);
    const wanted = sampleUpstream('wanted');
    const alike = sampleUpstream('alike', { maxUses: 99 });
    assert.equal(await usage.importForeign(site, [wanted, alike, foreign('a')]), 1);
    assert.deepEqual(await ids(), ['a']);
    assert.equal(await usage.importForeign(other, [wanted]), 1, 'the other site has no intent for it');
    assert.equal(codeOf(await vouchers.record(opened.value, [wanted])), wanted.code);
    assert.equal(await usage.importForeign(site, [wanted, alike]), 1);
    assert.deepEqual((await ids()).sort(), ['a', 'alike', 'wanted']);
  });

  test('an import and the request that created the voucher, run at the same time, record it once', async () => {
    for (let round = 0; round < 20; round++) {
      const name = `2026-01-15_${round}`;
      const wanted = foreign(`round ${round}`, name);
      const opened = await vouchers.begin(sampleIntent(site, { order: { ...sampleOrder, name } }));
      assert.ok(opened.ok);
      const [imported, recording] = await Promise.all([
        usage.importForeign(site, [wanted]),
        vouchers.record(opened.value, [wanted]),
      ]);
      assert.deepEqual([imported, codeOf(recording)], [0, wanted.code]);
    }
    assert.equal((await ids()).length, 20);
  });

  test('changes are written together and raise the list version once', async () => {
    await usage.importForeign(site, [foreign('a'), foreign('b')]);
    const [one, two] = await known('a', 'b');
    assert.ok(one && two);
    await usage.change(site, [
      { ...one, usedCount: 1, firstUsedAtS: 5 },
      { ...two, endedAtS: 6, missingSinceS: 6 },
    ]);
    assert.deepEqual(await known('a', 'b'), [
      { ...one, usedCount: 1, firstUsedAtS: 5 },
      { ...two, endedAtS: 6, missingSinceS: 6 },
    ]);
    assert.deepEqual(await versions(), [2, 0]);
    assert.deepEqual(await ids(), ['a']);
  });

  test('if one change fails, none of the changes is written', async () => {
    await usage.importForeign(site, [foreign('a'), foreign('b')]);
    const [one, two] = await known('a', 'b');
    assert.ok(one && two);
    const broken = [
      { ...one, usedCount: 1 },
      { ...two, usedCount: 0.5 },
    ];
    await assert.rejects(usage.change(site, broken));
    assert.deepEqual(await known('a', 'b'), [one, two]);
    assert.deepEqual(await versions(), [1, 0]);
  });

  test('a sample of expected vouchers has the newest and the oldest valid vouchers, once each', async () => {
    assert.deepEqual(await usage.sampleExpected(site), []);
    const listed = Array.from({ length: 30 }, (_, index) => foreign(`v${index}`));
    await usage.importForeign(site, listed);
    const range = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `v${from + index}`);
    assert.deepEqual(await usage.sampleExpected(site), [...range(20, 30).reverse(), ...range(0, 10)]);
    const missing = await known(...range(0, 10));
    const ended = await known(...range(12, 30));
    await usage.change(site, [
      ...missing.map((voucher) => ({ ...voucher, missingSinceS: 6 })),
      ...ended.map((voucher) => ({ ...voucher, endedAtS: 6 })),
    ]);
    assert.deepEqual(await usage.sampleExpected(site), ['v11', 'v10']);
    assert.deepEqual(await usage.sampleExpected(other), []);
  });

  test('vouchers that are used up or expired are not expected: a controller may have deleted them', async () => {
    await usage.importForeign(site, [foreign('unused'), foreign('used-up'), foreign('expired')]);
    const [, usedUp, expired] = await known('unused', 'used-up', 'expired');
    assert.ok(usedUp && expired);
    await usage.change(site, [
      { ...usedUp, usedCount: usedUp.maxUses },
      { ...expired, firstUsedAtS: 1 },
    ]);
    assert.deepEqual(await usage.sampleExpected(site), ['unused']);
  });

  test('vouchers recorded later have an id higher than the newest id', async () => {
    const newest = await usage.newestId();
    await usage.importForeign(site, [foreign('later')]);
    const [later] = await known('later');
    assert.ok(later && later.id > newest);
  });

  test('active sites that are old enough and were never synced are listed', async () => {
    const [untried, off] = [await addSite(database()), await addSite(database(), { active: false })];
    assert.ok((await syncs.listNeverTried(NOW_MS + 1)).includes(untried));
    assert.ok(!(await syncs.listNeverTried(NOW_MS + 1)).includes(off));
    assert.deepEqual(await syncs.listNeverTried(1), [], 'all sites were created later');
    await syncs.noteFailure(untried, 'it hangs');
    assert.ok(!(await syncs.listNeverTried(NOW_MS + 1)).includes(untried));
  });

  test('a failure is listed unless it was stale when the oldest running instance began', async () => {
    const instances = makeInstanceStore(database());
    const beganAt = async (id: string, startMs: number, seenMs: number) => {
      await instances.note({ id, name: id, release: '0.3.0', schemaVersion: 1 });
      await database().write((transaction) =>
        transaction
          .updateTable('instances')
          .set({ started_at_ms: startMs, seen_at_ms: seenMs })
          .where('id', '=', id)
          .execute(),
      );
    };
    await syncs.noteFailure(site, 'it hangs', 'too-slow');
    const failed = (await syncs.list()).get(site);
    const failedAtMs = failed?.failedAtMs ?? 0;
    const staleMs = staleAfterMs(60);
    const now = await syncs.readTimeMs();
    try {
      await beganAt('dead', 1, now - 100_000);
      await beganAt('new', failedAtMs + staleMs + 1, now);
      assert.deepEqual((await syncs.list()).get(site), {
        ...{ syncedAtMs: null, failedAtMs: null, error: null, cause: null, failingSinceMs: null },
        runningSinceMs: failedAtMs + staleMs + 1,
      });
      await beganAt('old', failedAtMs + staleMs, now - 20_000);
      assert.deepEqual((await syncs.list()).get(site), { ...failed, runningSinceMs: failedAtMs + staleMs });
    } finally {
      await instances.forgetAll();
    }
  });

  test('the last successful and failed syncs are listed per site', async () => {
    assert.equal(await syncs.sinceLastMs(site), undefined);
    await syncs.noteFailure(site, 'it hangs');
    await syncs.noteSuccess(site);
    await syncs.noteSuccess(other);
    const listed = await syncs.list();
    const { syncedAtMs, failedAtMs, error } = listed.get(site) ?? {};
    assert.equal(error, 'it hangs');
    assert.ok(syncedAtMs && failedAtMs && syncedAtMs >= failedAtMs);
    assert.partialDeepStrictEqual(listed.get(other), { failedAtMs: null, error: null });
    assert.equal(listed.get(NOBODY), undefined);
    await assert.rejects(syncs.noteSuccess(NOBODY), /foreign key/i);
    const sinceMs = await syncs.sinceLastMs(site);
    assert.ok(sinceMs !== undefined && sinceMs >= 0 && sinceMs < 60_000);
    assert.equal(
      await vouchers.listVersion(site),
      0,
      'a sync without changes does not raise the list version',
    );
  });
});
