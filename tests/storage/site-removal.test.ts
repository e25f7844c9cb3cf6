// Tests the removal of a site on every engine: everything that refers to the site goes with it, in slices and with one
// audit entry that names it, and nothing of other sites does. Nothing goes that the caller has not agreed to. Active
// sites and used sites on real controllers stay.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makePrinterStore } from '../../src/features/printers/printer-store.ts';
import { makeScreenStore } from '../../src/features/screens/screen-store.ts';
import { insertBatch } from '../../src/kernel/batches/batch-queries.ts';
import { KINDS } from '../../src/kernel/controllers/kinds.ts';
import { asBatchId, type SiteId, type UserId } from '../../src/kernel/ids.ts';
import { insertProfile } from '../../src/kernel/profiles/profile-queries.ts';
import type { SiteStore } from '../../src/kernel/sites/site.ts';
import { fingerprintOf, type IsAgreed, isEmpty, MAX_NAMED } from '../../src/kernel/sites/site-contents.ts';
import { makeSiteStore } from '../../src/kernel/sites/site-store.ts';
import { upsertSync } from '../../src/kernel/sites/sync-queries.ts';
import { insertUser, replaceSites } from '../../src/kernel/users/user-queries.ts';
import { BLOCK_SIZE, blockOf } from '../../src/kernel/vouchers/storage/search-parts.ts';
import { makeVoucherStore } from '../../src/kernel/vouchers/storage/voucher-store.ts';
import type { Handle } from '../../src/platform/database/database.ts';
import { actorOf } from '../support/actors.ts';
import { onEveryEngine } from './engines.ts';
import {
  addKey,
  addSite,
  NOW_MS,
  sampleIntent,
  sampleOrder,
  samplePrinter,
  sampleScreen,
  sampleTicket,
  seal,
} from './samples.ts';
import { untilOneWaits } from './until-one-waits.ts';

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
  'printers',
  'screens',
  'mail_texts',
  'request_pages',
  'guest_requests',
] as const;
const anything: IsAgreed = () => true;
const nothing: IsAgreed = isEmpty;

onEveryEngine('the removal of a site', (database) => {
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

  /** Gives the site one of everything that can belong to a site without vouchers and assignments. */
  async function furnish(site: SiteId, names = [`bar ${site}`]): Promise<void> {
    for (const name of names)
      await makePrinterStore(database(), seal).add(samplePrinter(site, { name }), null, audit);
    await makeScreenStore(database(), seal).add(
      sampleScreen(site, { name: `lobby ${site}` }),
      { pairingHash: `pairing ${site}`, token: null },
      audit,
    );
    await write(async (to) => {
      await to
        .insertInto('site_slips')
        .values({ site_id: site, wifi_name: 'W', wifi_security: 'open', text: '', languages: '' })
        .execute();
      await to
        .insertInto('images')
        .values({ name: `site-${site}`, type: 'image/png', base64: '' })
        .execute();
      const mail = { subject: '', greeting: '', closing: '' };
      await to
        .insertInto('mail_texts')
        .values([
          { site_id: site, language: 'de', ...mail },
          { site_id: site, language: 'en', ...mail },
        ])
        .execute();
      await to
        .insertInto('request_pages')
        .values({ site_id: site, token_hash: `page ${site}`, sealed_token: null, mail_to: null })
        .execute();
      const asked = { site_id: site, screen_id: null, name: 'Frau Gast', host: '', note: '', language: 'de' };
      const since = { created_at_ms: 1, expires_at_ms: 2 };
      for (const state of ['waiting', 'approving', 'declined'])
        await to
          .insertInto('guest_requests')
          .values({ ...asked, ...since, token_hash: `${state} ${site}`, state })
          .execute();
    });
  }

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
        await insertBatch(to, { ...batch, id: asBatchId(id) }, { now: database().now() });
      await to.insertInto('list_changes').values({ site_id: site }).execute();
      await upsertSync(to, site, { synced_at_ms: database().now() });
      await insertProfile(to, { ...sampleOrder, name: `only ${site}`, siteIds: [site] });
    });
    await furnish(site);
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

    assert.deepEqual(await sites.remove(demo, anything, audit), { kind: 'refused' }, 'the demo is active');
    const contents = await sites.listContents(demo);
    await sites.change(demo, { active: false }, audit);
    assert.deepEqual(await sites.remove(demo, nothing, audit), { kind: 'not-agreed', contents });
    assert.deepEqual(await entries(), [], 'a refused removal is not in the audit log');
    assert.deepEqual(await sites.remove(demo, anything, audit), { kind: 'removed', contents });

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
    assert.equal(
      entry?.subject,
      `site ${demo} (Demo): vouchers: ${MANY}, batches: 2, profiles: 1, printers: 1, screens: 1, requests: 2, requestPages: 1, mailTexts: 2, slips: 1, pictures: 1`,
    );
    assert.deepEqual(JSON.parse(entry.details ?? '').names, {
      profiles: [`only ${demo}`],
      printers: [`bar ${demo}`],
      screens: [`lobby ${demo}`],
    });
    assert.deepEqual(more, []);
    assert.deepEqual(await sites.remove(demo, anything, audit), { kind: 'refused' });
  });

  test('requests are served between two slices, and a removal that was interrupted can be completed', async () => {
    const demo = await addSite(database(), { name: 'Demo 2', active: false });
    await use(demo, MANY);
    const beside = { ...database(), write: failSecond() };
    await assert.rejects(makeSiteStore(beside, seal, KINDS).remove(demo, anything, audit), /the crash/);
    const { counts } = await sites.listContents(demo);
    assert.equal(counts.vouchers, MANY - 500, 'the first slice is a transaction of its own');
    assert.match((await entries()).at(-1)?.subject ?? '', /Demo 2.: vouchers: 1203, batches: 2/);
    assert.equal((await sites.remove(demo, anything, audit)).kind, 'removed');
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
    assert.deepEqual(await sites.remove(real, anything, audit), { kind: 'refused' });
    assert.deepEqual(await countsOf(real), before);
    assert.ok(await sites.find(real));
  });

  test('a site that was never used is removed only with the printers, screens and texts that were agreed to', async () => {
    const real = await addSite(database(), { controllerKind: 'unifi', active: false });
    await furnish(
      real,
      Array.from({ length: MAX_NAMED + 1 }, (_, n) => `bar ${n}`),
    );
    const before = await countsOf(real);
    const seen = fingerprintOf(await sites.listContents(real));
    const asSeen: IsAgreed = (contents) => fingerprintOf(contents) === seen;
    assert.equal((await sites.remove(real, nothing, audit)).kind, 'not-agreed');
    assert.deepEqual(await countsOf(real), before);
    await makePrinterStore(database(), seal).add(samplePrinter(real), null, audit);
    assert.equal((await sites.remove(real, asSeen, audit)).kind, 'not-agreed', 'a printer was added');
    const removal = await sites.remove(real, anything, audit);
    assert.ok(removal.kind === 'removed');
    assert.equal(removal.contents.counts.printers, MAX_NAMED + 2);
    assert.equal(removal.contents.names.printers?.length, MAX_NAMED);
    assert.deepEqual(new Set(await countsOf(real)), new Set([0]));
  });

  test('a printer that is added while its site is being removed is not deleted unnoticed', async () => {
    const real = await addSite(database(), { controllerKind: 'unifi', active: false });
    const { promise: meeting, resolve: meet } = Promise.withResolvers<void>();
    const { promise: added, resolve: hasAdded } = Promise.withResolvers<void>();
    const adding = write(async (to) => {
      const { kind, name, paper, layout, copies } = samplePrinter(real);
      const rest = { paper, layout, copies, has_cutter: 1, job_minutes: 10, created_at_ms: 1 };
      await to
        .insertInto('printers')
        .values({ site_id: real, kind, name, ...rest })
        .execute();
      hasAdded();
      await meeting;
    });
    await added;
    const removing = sites.remove(real, nothing, audit);
    await untilOneWaits(database());
    meet();
    await adding;
    assert.equal((await removing).kind, 'not-agreed');
    assert.equal(await idsOf('printers', real), 1);
  });

  test('the removal of a large demo deletes nothing that is added between two slices', async () => {
    const demo = await addSite(database(), { name: 'Demo 3', active: false });
    await use(demo, MANY);
    const printers = makePrinterStore(database(), seal);
    let count = 0;
    const between: typeof write = async (work) => {
      if (++count === 2) await printers.add(samplePrinter(demo), null, audit);
      return write(work);
    };
    const busy = makeSiteStore({ ...database(), write: between }, seal, KINDS);
    assert.equal((await busy.remove(demo, anything, audit)).kind, 'not-agreed');
    assert.equal(await idsOf('printers', demo), 2);
  });
});
