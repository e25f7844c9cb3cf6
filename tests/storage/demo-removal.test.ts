// Tests the removal of a demo on every engine: everything that refers to the site goes with it, in slices and with one
// audit entry, and nothing of other sites does. Active sites and sites on real controllers stay.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { KINDS } from '../../src/controllers/kinds.ts';
import { asBatchId, type SiteId, type UserId } from '../../src/domain/ids.ts';
import type { SiteStore } from '../../src/domain/sites/site.ts';
import { insertBatch } from '../../src/storage/batches/queries.ts';
import type { Handle } from '../../src/storage/database.ts';
import { insertProfile } from '../../src/storage/profiles/queries.ts';
import { makeSiteStore } from '../../src/storage/sites/store.ts';
import { upsertSync } from '../../src/storage/sites/sync-queries.ts';
import { insertUser, replaceSites } from '../../src/storage/users/queries.ts';
import { BLOCK_SIZE, blockOf } from '../../src/storage/vouchers/search-parts.ts';
import { makeVoucherStore } from '../../src/storage/vouchers/store.ts';
import { actorOf } from '../support/actors.ts';
import { onEveryEngine } from './engines.ts';
import { addKey, addSite, NOW_MS, sampleIntent, sampleOrder, sampleTicket, seal } from './samples.ts';

const audit = { actor: actorOf('CLI: ada'), atMs: NOW_MS };
/** More than two slices. */
const MANY = 1_203;
const OF_A_SITE = [
  'vouchers',
  'batches',
  'intents',
  'user_sites',
  'profile_sites',
  'site_syncs',
  'site_slips',
  'list_changes',
] as const;

onEveryEngine('the removal of a demo', (database) => {
  let sites: SiteStore;
  let user: UserId;
  let firstId = 10;
  before(async () => {
    sites = makeSiteStore(database(), seal, KINDS);
    const anna = { email: 'a@example.org', name: 'Anna', role: 'operator', passwordHash: 'x' } as const;
    user = (await write((to) => insertUser(to, { ...anna, createdAtMs: 1 }))) ?? assert.fail();
    await addKey(database(), 'keyAAAAA');
  });
  const write = <Value>(work: (transaction: Handle) => Promise<Value>) => database().write(work);
  const idsOf = async (table: (typeof OF_A_SITE)[number], site: SiteId) =>
    (await database().read.selectFrom(table).select('site_id').where('site_id', '=', site).execute()).length;
  const countsOf = (site: SiteId) => Promise.all(OF_A_SITE.map((table) => idsOf(table, site)));
  const entries = () =>
    database().read.selectFrom('audit').selectAll().where('action', '=', 'site.removed').execute();

  /** Gives the site this many vouchers, two of them in a batch, an empty batch, and one of everything else. */
  async function use(site: SiteId, vouchers: number): Promise<void> {
    const { name, maxUses: max_uses, expireMinutes: expire_minutes, quotaMb: quota_mb } = sampleOrder;
    const limits = { max_uses, expire_minutes, quota_mb, down_kbps: 0, up_kbps: 0 };
    firstId = (blockOf(firstId) + 1) * BLOCK_SIZE;
    const rows = Array.from({ length: vouchers }, (_, n) => ({
      ...{ ...limits, id: firstId + n, site_id: site, code: '0482715936', name, used_count: 0 },
      ...{ controller_voucher_id: `v${n}`, created_at_s: n, batch_id: n < 2 ? `full ${site}` : null },
    }));
    await write(async (to) => {
      for (let start = 0; start < vouchers; start += 500)
        await to
          .insertInto('vouchers')
          .values(rows.slice(start, start + 500))
          .execute();
      await to
        .insertInto('voucher_parts')
        .values({ part: `part ${site}`, block: blockOf(firstId), vouchers: '' })
        .execute();
      const batch = { userId: user, order: { ...sampleOrder, siteId: site }, wanted: 2, createdAtMs: 1 };
      for (const id of [`full ${site}`, `empty ${site}`])
        await insertBatch(to, { ...batch, id: asBatchId(id) });
      await to.insertInto('list_changes').values({ site_id: site }).execute();
      await upsertSync(to, site, { synced_at_ms: database().now() });
      await insertProfile(to, { ...sampleOrder, name: `only ${site}`, siteIds: [site] });
      await to
        .insertInto('site_slips')
        .values({ site_id: site, wifi_name: 'W', wifi_security: 'open', text: '', languages: '' })
        .execute();
      await to
        .insertInto('images')
        .values({ name: `site-${site}`, type: 'image/png', base64: '' })
        .execute();
    });
    const begun = await makeVoucherStore(database(), seal).begin(sampleIntent(site), {
      ticket: sampleTicket(`order ${site}`),
    });
    assert.ok(begun.ok);
  }

  test('everything of the demo goes in slices, with one audit entry, and nothing of another site', async () => {
    const [demo, other] = [await addSite(database(), { name: 'Demo' }), await addSite(database())];
    await use(demo, MANY);
    await use(other, 3);
    await write((to) => replaceSites(to, user, [demo, other]));
    await write((to) => insertProfile(to, { ...sampleOrder, name: 'both', siteIds: [demo, other] }));
    const before = await countsOf(other);

    assert.equal(await sites.removeDemo(demo, audit), undefined, 'the demo is active');
    assert.equal(await sites.countVouchers(demo), MANY);
    await sites.change(demo, { active: false }, audit);
    assert.equal(await sites.remove(demo, audit), false, 'the demo is used');
    assert.deepEqual(await sites.removeDemo(demo, audit), { vouchers: MANY, batches: 2 });

    assert.equal(await sites.find(demo), undefined);
    assert.deepEqual(new Set(await countsOf(demo)), new Set([0]));
    assert.deepEqual(await countsOf(other), before);
    const { read } = database();
    const names = {
      profiles: (await read.selectFrom('profiles').select('name').orderBy('name').execute()).map(
        ({ name }) => name,
      ),
      images: (await read.selectFrom('images').select('name').execute()).map(({ name }) => name),
      parts: (await read.selectFrom('voucher_parts').select('part').execute()).map(({ part }) => part),
      tickets: (await read.selectFrom('idempotent_answers').select('idempotency_key as key').execute()).map(
        ({ key }) => key,
      ),
    };
    assert.deepEqual(names, {
      profiles: ['both', `only ${other}`],
      images: [`site-${other}`],
      parts: [`part ${other}`],
      tickets: [`order ${other}`],
    });
    const [entry, ...more] = await entries();
    assert.equal(entry?.subject, `site ${demo} (Demo): vouchers: ${MANY}, batches: 2`);
    assert.deepEqual(more, []);
    assert.equal(await sites.removeDemo(demo, audit), undefined);
  });

  test('requests are served between two slices, and a removal that was interrupted can be completed', async () => {
    const demo = await addSite(database(), { name: 'Demo 2', active: false });
    await use(demo, MANY);
    const beside = { ...database(), write: failSecond() };
    await assert.rejects(makeSiteStore(beside, seal, KINDS).removeDemo(demo, audit), /the crash/);
    assert.equal(await sites.countVouchers(demo), MANY - 500, 'the first slice is a transaction of its own');
    assert.equal((await entries()).at(-1)?.subject, `site ${demo} (Demo 2): vouchers: ${MANY}, batches: 2`);
    assert.deepEqual(await sites.removeDemo(demo, audit), { vouchers: MANY - 500, batches: 2 });
    assert.equal(await sites.find(demo), undefined);

    function failSecond(): typeof write {
      let count = 0;
      return (work) =>
        write((transaction) => {
          if (++count > 1) throw new Error('the crash');
          return work(transaction);
        });
    }
  });

  test('a site on a real controller stays, even if it is inactive', async () => {
    const real = await addSite(database(), { controllerKind: 'unifi', active: false });
    await use(real, 3);
    const before = await countsOf(real);
    assert.equal(await sites.removeDemo(real, audit), undefined);
    assert.deepEqual(await countsOf(real), before);
    assert.ok(await sites.find(real));
  });
});
