// Tests the queries of usage sync on every engine: known and expected vouchers, changes of use, imports of foreign
// vouchers, and the results of each site's syncs.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { FailureCause, UpstreamVoucher } from '../../src/kernel/controllers/controller.ts';
import { asVoucherId, type SiteId } from '../../src/kernel/ids.ts';
import { selectSyncs, upsertSync, upsertSyncFailure } from '../../src/kernel/sites/sync-queries.ts';
import {
  IDS_PER_QUERY,
  insertForeignVouchers,
  selectExpectedVouchers,
  selectKnownVouchers,
  selectNewestVoucherId,
  updateUsage,
} from '../../src/kernel/vouchers/storage/usage-queries.ts';
import { insertVoucherUnlessTaken } from '../../src/kernel/vouchers/storage/voucher-queries.ts';
import type { KnownVoucher, UsageChange } from '../../src/kernel/vouchers/usage-records.ts';
import type { Handle } from '../../src/platform/database/database.ts';
import { actorOf } from '../support/actors.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, NOW_MS, sampleUpstream } from './samples.ts';

const NOW_S = Math.floor(NOW_MS / 1000);
const UNUSED = {
  maxUses: 3,
  expireMinutes: 480,
  usedCount: 0,
  firstUsedAtS: null,
  endedAtS: null,
  missingSinceS: null,
};

onEveryEngine('usage', (database) => {
  let site: SiteId;
  let other: SiteId;
  beforeEach(async () => {
    [site, other] = [await addSite(database()), await addSite(database())];
  });

  const write = <Value>(job: (transaction: Handle) => Promise<Value>) => database().write(job);
  const importAll = (siteId: SiteId, upstream: UpstreamVoucher[]) =>
    write(async (transaction) => {
      assert.equal(await insertForeignVouchers(transaction, siteId, upstream), upstream.length);
    });
  const named = (count: number) => Array.from({ length: count }, (_, index) => `id-${index + 1}`);
  const fill = (count: number) =>
    importAll(
      site,
      named(count).map((id) => sampleUpstream(id)),
    );
  const known = (ids: string[], siteId = site) => selectKnownVouchers(database().read, siteId, ids);
  const expected = (afterId = 0, limit = 1_000) =>
    selectExpectedVouchers(database().read, site, { afterId: asVoucherId(afterId), limit });
  const ids = (vouchers: KnownVoucher[]) => vouchers.map((voucher) => voucher.controllerVoucherId);
  const change = (usage: UsageChange) => write((transaction) => updateUsage(transaction, usage));
  async function first(id = 'id-1'): Promise<KnownVoucher> {
    const [found] = await known([id]);
    assert.ok(found);
    return found;
  }
  const rowOf = (id: string) =>
    database()
      .read.selectFrom('vouchers')
      .selectAll()
      .where('site_id', '=', site)
      .where('controller_voucher_id', '=', id)
      .executeTakeFirst();

  test('the newest id is the highest of all sites, and vouchers recorded later have a higher id', async () => {
    const before = await selectNewestVoucherId(database().read);
    await importAll(other, [sampleUpstream('first'), sampleUpstream('elsewhere')]);
    const after = await selectNewestVoucherId(database().read);
    assert.ok(after > before);
    assert.equal((await known(['elsewhere'], other))[0]?.id, after);
  });

  test('a known voucher is found with its use by the controller’s id, only at its own site', async () => {
    await fill(2);
    const { id, createdAtS, ...usage } = await first();
    assert.ok(createdAtS > 0);
    assert.ok(id > 0);
    assert.deepEqual(usage, { controllerVoucherId: 'id-1', endsAtS: null, ...UNUSED });
    assert.deepEqual(await known(['id-1', 'id-2'], other), []);
    assert.deepEqual(await known(['somebody']), []);
  });

  for (const count of [0, 1, 2, IDS_PER_QUERY - 1, IDS_PER_QUERY, IDS_PER_QUERY + 1])
    test(`of ${count} ids each known id is returned once`, async () => {
      await fill(count + 1);
      assert.deepEqual(ids(await known(named(count))).sort(), named(count).sort());
      const strangers = named(count).map((id) => `no ${id}`);
      assert.deepEqual(await known(strangers), []);
      assert.deepEqual(ids(await known([...strangers.slice(1), 'id-1'])), ['id-1']);
    });

  test('expected vouchers are returned by ascending id, up to the limit', async () => {
    await fill(5);
    const [one, two] = await expected(0, 2);
    assert.ok(one && two && one.id < two.id);
    assert.deepEqual(ids([one, two]), ['id-1', 'id-2']);
    assert.deepEqual(ids(await expected(two.id, 2)), ['id-3', 'id-4']);
    assert.deepEqual(ids(await expected(two.id, 200)), ['id-3', 'id-4', 'id-5']);
    assert.deepEqual(await expected((await first('id-5')).id), []);
  });

  test('vouchers without a controller id, of other sites or already missing are not expected', async () => {
    await fill(3);
    await importAll(other, [sampleUpstream('elsewhere')]);
    const made = { actor: actorOf('API: Theke'), code: '1111111111', createdAtS: NOW_S };
    const nameless = { siteId: site, upstream: sampleUpstream(null), ...made };
    await write((transaction) => insertVoucherUnlessTaken(transaction, nameless));
    await change({ ...(await first('id-2')), missingSinceS: NOW_S });
    assert.deepEqual(ids(await expected()), ['id-1', 'id-3']);
    await change({ ...(await first('id-2')), missingSinceS: null });
    assert.deepEqual(ids(await expected()), ['id-1', 'id-2', 'id-3']);
  });

  test('a change of use is stored only for that voucher and can be reverted', async () => {
    await fill(2);
    const before = await first();
    const usage = { usedCount: 2, firstUsedAtS: NOW_S - 60, endedAtS: NOW_S, missingSinceS: NOW_S + 1 };
    await change({ id: before.id, ...usage });
    assert.deepEqual(await first(), { ...before, ...usage });
    assert.partialDeepStrictEqual(await first('id-2'), UNUSED);
    await change(before);
    assert.deepEqual(await first(), before);
  });

  test('a foreign voucher is recorded with the controller’s fields and without an owner', async () => {
    const fields = { maxUses: 0, usedCount: 7, firstUsedAtMs: NOW_MS + 60_999, createdAtMs: NOW_MS - 5_001 };
    await importAll(site, [sampleUpstream('foreign', { ...fields, code: '0000000001', name: '' })]);
    assert.partialDeepStrictEqual(await rowOf('foreign'), {
      code: '0000000001',
      name: '',
      max_uses: 0,
      expire_minutes: 480,
      down_kbps: 10_000,
      up_kbps: 2_000,
      quota_mb: 2_048,
      owner_user_id: null,
      source: 'Controller',
      used_count: 7,
      created_at_s: Math.floor((NOW_MS - 5_001) / 1000),
      first_used_at_s: Math.floor((NOW_MS + 60_999) / 1000),
      ended_at_s: null,
      missing_since_s: null,
    });
  });

  test('a voucher that is recorded already or has no code is not imported', async () => {
    await fill(1);
    const attempt = (id: string, code: string | null) =>
      write((transaction) => insertForeignVouchers(transaction, site, [sampleUpstream(id, { code })]));
    assert.equal(await attempt('id-1', '2222222222'), 0);
    assert.equal((await rowOf('id-1'))?.code, '0482715936');
    assert.equal(await attempt('id-2', null), 0);
    assert.equal(await rowOf('id-2'), undefined);
    assert.equal(await attempt('id-2', '2222222222'), 1);
  });

  test('of many vouchers only those that are not recorded yet are imported, each with its own values', async () => {
    const count = 120;
    await fill(3);
    const codeOf = (index: number) => String(1_000_000_000 + index);
    const listed = named(count).map((id, index) =>
      sampleUpstream(id, { code: codeOf(index), name: `Gast ${index}`, usedCount: index }),
    );
    const newest = await selectNewestVoucherId(database().read);
    const imported = await write((transaction) => insertForeignVouchers(transaction, site, listed));
    assert.equal(imported, count - 3);
    for (const index of [3, 49, 50, 99, 100, count - 1])
      assert.partialDeepStrictEqual(await rowOf(`id-${index + 1}`), {
        code: codeOf(index),
        name: `Gast ${index}`,
        used_count: index,
      });
    assert.notEqual((await rowOf('id-1'))?.code, codeOf(0));
    assert.equal(ids(await expected(newest)).length, count - 3);
  });

  test('the last success and the last failure of each site are kept until the next ones', async () => {
    const good = (siteId: SiteId, ms: number) =>
      write((transaction) => upsertSync(transaction, siteId, { synced_at_ms: at(ms) }));
    const bad = (ms: number, error: string, cause: FailureCause | null) =>
      write((transaction) => upsertSyncFailure(transaction, site, { now: at(ms), error, cause }));
    const syncOf = async (siteId: SiteId) => (await selectSyncs(database().read, 0)).get(siteId);
    assert.equal(await syncOf(site), undefined);
    const at = (ms: number) => sql<number>`${sql.lit(ms)}`;
    await bad(1, 'it hangs', 'too-slow');
    const hangs = { failedAtMs: 1, error: 'it hangs', cause: 'too-slow', failingSinceMs: 1 };
    assert.deepEqual(await syncOf(site), { syncedAtMs: null, ...hangs });
    await good(site, 2);
    assert.deepEqual(await syncOf(site), { syncedAtMs: 2, ...hangs });
    await bad(3, "it's away", null);
    await good(other, NOW_MS);
    const away = { failedAtMs: 3, error: "it's away", cause: null, failingSinceMs: 3 };
    assert.deepEqual(await syncOf(site), { syncedAtMs: 2, ...away });
    await bad(9, "it's away", 'away');
    assert.deepEqual(await syncOf(site), { syncedAtMs: 2, ...away, failedAtMs: 9, cause: 'away' });
    const never = { failedAtMs: null, error: null, cause: null, failingSinceMs: null };
    assert.deepEqual(await syncOf(other), { syncedAtMs: NOW_MS, ...never });
  });
});
