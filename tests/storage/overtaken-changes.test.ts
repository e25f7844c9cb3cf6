// Tests that stores that read a value before they write it lose nothing if another transaction changes the value at the
// same time.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { insertMailTexts } from '../../src/features/mail/mail-text-queries.ts';
import { makeMailTextStore } from '../../src/features/mail/mail-text-store.ts';
import { takeSitesFromKeys } from '../../src/features/move-in/storage/key-queries.ts';
import { makePrinterStore } from '../../src/features/printers/printer-store.ts';
import { makeScreenStore } from '../../src/features/screens/screen-store.ts';
import { updateOwnRights } from '../../src/features/single-sign-on/grant-queries.ts';
import { makeIdentityStore } from '../../src/features/single-sign-on/identity-store.ts';
import { makeSingleSignOnStore } from '../../src/features/single-sign-on/single-sign-on-store.ts';
import { makeWebhookStore } from '../../src/features/webhooks/webhook-store.ts';
import { makeBatchStore } from '../../src/kernel/batches/batch-store.ts';
import { reopenBatch } from '../../src/kernel/batches/filling-queries.ts';
import { asBatchId, asKeyId, asSiteId, type UserId } from '../../src/kernel/ids.ts';
import { examineAllAgain } from '../../src/kernel/privacy/shorten-ips-store.ts';
import { makeExternalSessionStore } from '../../src/kernel/sessions/external-session-store.ts';
import { makeWebSessionStore } from '../../src/kernel/sessions/session-store.ts';
import { makeUntrustedProxyStore } from '../../src/kernel/settings/untrusted-proxy-store.ts';
import { holdSite } from '../../src/kernel/sites/site-queries.ts';
import { replaceSites, updateUser } from '../../src/kernel/users/user-queries.ts';
import { makeUserStore } from '../../src/kernel/users/user-store.ts';
import { makeFillNameSortKeys } from '../../src/kernel/vouchers/storage/name-sort-key-queries.ts';
import { makeRetentionStore } from '../../src/kernel/vouchers/storage/retention-store.ts';
import { makeVoucherStore } from '../../src/kernel/vouchers/storage/voucher-store.ts';
import { makeBackupRecords } from '../../src/platform/backup/backup-records.ts';
import type { Handle } from '../../src/platform/database/database.ts';
import { type SettingName, upsertSetting } from '../../src/platform/database/installation-queries.ts';
import { TESTER } from '../support/actors.ts';
import { insertEarlierEntry } from '../support/earlier-entries.ts';
import { NO_MAILS } from '../support/no-mails.ts';
import { onEveryEngine } from './engines.ts';
import {
  addKey,
  addSite,
  addWebhook,
  NOW_MS,
  sampleIntent,
  samplePrinter,
  sampleScreen,
  sampleUpstream,
  seal,
} from './samples.ts';
import { untilOneWaits } from './until-one-waits.ts';

const by = { actor: TESTER, atMs: NOW_MS };
const PROVIDER = {
  issuer: 'https://a.example.org',
  clientId: 'gastpass',
  clientSecret: null,
  scopes: 'openid',
};
const PROXY = { ip: '10.0.0.1', seenAtMs: NOW_MS };
const BACKUP = { folder: '/backups', name: 'one', startedAtMs: NOW_MS, bytes: 7 };

onEveryEngine('changes at the same time', (database) => {
  /** Runs `late` before `change` is committed. `late` then waits for a lock on PostgreSQL, for its turn on SQLite. */
  async function during<Value>(
    change: (transaction: Handle) => Promise<unknown>,
    late: () => Promise<Value>,
  ): Promise<Value> {
    const { promise, resolve } = Promise.withResolvers<Value>();
    await database().write(async (transaction) => {
      await change(transaction);
      resolve(late());
      await untilOneWaits(database());
    });
    return promise;
  }

  const setting = (name: SettingName, value: unknown) => (transaction: Handle) =>
    upsertSetting(transaction, name, JSON.stringify(value));

  beforeEach(() =>
    database().write(async (transaction) => {
      for (const table of ['settings', 'audit', 'user_sites', 'users'] as const)
        await transaction.deleteFrom(table).execute();
    }),
  );

  test('both of two untrusted proxies are noted, and one that is noted while another is forgotten stays', async () => {
    const proxies = makeUntrustedProxyStore(database());
    const other = { ...PROXY, ip: '10.0.0.2' };
    await during(setting('untrusted_proxies', [PROXY]), () => proxies.note(other));
    assert.deepEqual(await proxies.list(), [other, PROXY]);
    const third = { ...PROXY, ip: '10.0.0.3' };
    await during(setting('untrusted_proxies', [third, other, PROXY]), () =>
      proxies.forget((ip) => ip === PROXY.ip),
    );
    assert.deepEqual(await proxies.list(), [third, other]);
  });

  test('the records of two backups are kept', async () => {
    const records = makeBackupRecords(database());
    const other = { ...BACKUP, name: 'two' };
    await during(setting('scheduled_backups', [BACKUP]), () => records.add(other));
    assert.deepEqual(await records.list(), [BACKUP, other]);
  });

  test('two changes of different settings of a screen or a printer are kept', async () => {
    const site = await addSite(database());
    const screens = makeScreenStore(database(), seal);
    const screen = await screens.add(sampleScreen(site), { pairingHash: 'code', token: null }, by);
    await during(
      (transaction) =>
        transaction.updateTable('screens').set({ per_day: 5 }).where('id', '=', screen.id).execute(),
      () => screens.update(screen.id, { name: 'Bar' }, by),
    );
    assert.partialDeepStrictEqual(await screens.find(screen.id), { name: 'Bar', perDay: 5 });

    const printers = makePrinterStore(database(), seal);
    const printer = await printers.add(samplePrinter(site), null, by);
    await during(
      (transaction) =>
        transaction.updateTable('printers').set({ copies: 2 }).where('id', '=', printer).execute(),
      () => printers.update(printer, { name: 'Bar' }, by),
    );
    assert.partialDeepStrictEqual(await printers.find(printer), { name: 'Bar', copies: 2 });
  });

  test('a code that a screen begins to show while the screen is removed is taken off', async () => {
    const site = await addSite(database());
    const screens = makeScreenStore(database(), seal);
    const screen = await screens.add(sampleScreen(site), { pairingHash: 'code 2', token: null }, by);
    const id = await addVoucher(site, 'shown');
    await during(
      (transaction) =>
        transaction.updateTable('screens').set({ voucher_id: id }).where('id', '=', screen.id).execute(),
      () => screens.remove(screen.id, by),
    );
    const left = await database().read.selectFrom('shown_codes').select('voucher_id').execute();
    assert.deepEqual(
      left.map(({ voucher_id }) => voucher_id),
      [id],
    );
  });

  test('the texts of mails that are saved last are complete, and no mixture', async () => {
    const site = await addSite(database());
    const texts = makeMailTextStore(database());
    const said = (subject: string) => ({ subject, greeting: '', closing: '' });
    await during(
      async (transaction) => {
        await holdSite(transaction, site);
        await insertMailTexts(transaction, { siteId: site, language: 'de', ...said('eins') });
        await insertMailTexts(transaction, { siteId: site, language: 'en', ...said('one') });
      },
      () => texts.save(site, { de: said('zwei') }, by),
    );
    assert.deepEqual(await texts.find(site), { de: said('zwei') });
  });

  test('an event that a newer release has just added to a webhook is kept', async () => {
    const id = await addWebhook(database());
    await during(
      (transaction) => transaction.updateTable('webhooks').set({ events: 'voucher.created,later' }).execute(),
      () => makeWebhookStore(database(), seal).change(id, { events: ['site.unreachable'] }, by),
    );
    const row = await database().read.selectFrom('webhooks').select('events').executeTakeFirstOrThrow();
    assert.equal(row.events, 'site.unreachable,later');
  });

  test('a move-in takes its sites from a key, and not what was given to the key since', async () => {
    await addKey(database(), 'keyAAAAA', { sites: [] });
    const set = (ids: string) => (transaction: Handle) =>
      transaction.updateTable('api_keys').set({ site_ids: ids }).execute();
    await database().write(set('1,2'));
    const [moved] = [await addSite(database())];
    await database().write(set(`${moved},1`));
    await during(set(`${moved},2`), () =>
      database().write((transaction) => takeSitesFromKeys(transaction, [moved])),
    );
    const row = await database().read.selectFrom('api_keys').select('site_ids').executeTakeFirstOrThrow();
    assert.equal(row.site_ids, '2');
  });

  test('an IP address is shortened, although entries are renumbered and added meanwhile', async () => {
    const add = (ip: string) => (transaction: Handle) =>
      insertEarlierEntry(transaction, { atMs: 1, actor: TESTER, action: 'site.added', subject: 'x', ip });
    await database().write(add('192.0.2.1'));
    const [first] = await database().read.selectFrom('audit').select('id').execute();
    const shorten = () =>
      makeRetentionStore(database())
        .begin({ nowMs: NOW_MS, runningMs: 0 }, () => true)
        .shortenIps(NOW_MS, NOW_MS);
    await during(async (transaction) => {
      await examineAllAgain(transaction);
      await transaction
        .updateTable('audit')
        .set((eb) => ({ id: eb('id', '+', 1_000) }))
        .execute();
      await add('198.51.100.7')(transaction);
      await transaction
        .updateTable('audit')
        .set({ id: first?.id ?? 0 })
        .where('address', '=', '198.51.100.7')
        .execute();
    }, shorten);
    await shorten();
    const left = await database().read.selectFrom('audit').select('address').orderBy('id').execute();
    assert.deepEqual(
      left.map(({ address }) => address),
      ['198.51.100.0/24', '192.0.2.0/24'],
    );
  });

  test('the sort key of a name that was erased meanwhile is not stored', async () => {
    const site = await addSite(database());
    const id = await addVoucher(site, 'sorted');
    const set = (values: { name?: string; name_order: string }) => (transaction: Handle) =>
      transaction.updateTable('vouchers').set(values).where('id', '=', id).execute();
    await database().write(set({ name_order: '' }));
    const fill = makeFillNameSortKeys({
      ...database(),
      async write(job) {
        await database().write(set({ name: '2026-01-15_***', name_order: '***' }));
        return database().write(job);
      },
    });
    await fill(site, 10);
    const [row] = await database()
      .read.selectFrom('vouchers')
      .select('name_order')
      .where('id', '=', id)
      .execute();
    assert.equal(row?.name_order, '***');
  });

  test('a login through a rule keeps what an administrator decides at the same time', async () => {
    const [one, two, three] = [
      await addSite(database()),
      await addSite(database()),
      await addSite(database()),
    ];
    const id = await addUser();
    const setSites = (siteIds: (typeof one)[]) => async (transaction: Handle) => {
      await updateUser(transaction, id, { role: 'operator' });
      await replaceSites(transaction, id, siteIds);
      await updateOwnRights(transaction, id, { siteIds });
    };
    await database().write(setSites([one]));
    const at = { atMs: NOW_MS, ip: '192.0.2.1' };
    const identities = makeIdentityStore(database());
    const admit = (siteId: typeof one) =>
      identities.admit(IDENTITY, { role: 'operator', siteIds: [siteId], ruleIds: ['r'] }, at);
    const siteIds = () => makeUserStore(database(), NO_MAILS).siteIdsOf(id);
    await admit(three);
    await during(setSites([two]), () => admit(one));
    assert.deepEqual(await siteIds(), [one]);
    await during(setSites([three]), () => identities.refuse(IDENTITY, at));
    assert.deepEqual(await siteIds(), [three]);
  });

  test('sessions end if a change brings back a provider that another change has just replaced', async () => {
    const providers = makeSingleSignOnStore(database(), { seal, fromEnvironment: undefined });
    await providers.change({ provider: PROVIDER }, by);
    const userId = await addUser();
    const times = { createdAtMs: 5, seenAtMs: 5, authenticatedAtMs: 5 };
    const session = { tokenHash: 'one', userId, ...times, external: null, stays: false, ip: '', agent: '' };
    await makeExternalSessionStore(database(), seal).add(session, { idToken: 'an ID token' });
    await during(
      (transaction) =>
        transaction.updateTable('single_sign_on').set({ issuer: 'https://b.example.org' }).execute(),
      () => providers.change({ provider: PROVIDER }, by),
    );
    assert.deepEqual(await makeWebSessionStore(database()).list(userId), []);
  });

  test('a failed batch that is being resumed is not replaced by another order, only by the reserve, which ends it', async () => {
    const batches = makeBatchStore(database(), seal);
    const siteId = asSiteId(await addSite(database()));
    await addKey(database(), 'keyResum');
    const limits = { maxUses: 1, expireMinutes: 60, downKbps: 0, upKbps: 0, quotaMb: 0 };
    const order = { siteId, name: 'Group', ...limits };
    const atMs = Date.now();
    const other = { apiKeyId: asKeyId('keyResum'), order, wanted: 2, createdAtMs: atMs };
    for (const isFromReserve of [false, true]) {
      const id = asBatchId(`failed, ${isFromReserve}`);
      await batches.begin({ ...other, id });
      await batches.end(id, { problem: 'away', cause: null, actor: TESTER, atMs });
      const instead = { ...other, id: asBatchId(`instead of ${id}`), insteadOf: id };
      const isBegun = await during(
        (transaction) => reopenBatch(transaction, id, database().now()),
        () => batches.begin({ ...instead, ...(isFromReserve && { isFromReserve }) }),
      );
      const { endedAtMs, replacedBy } = (await batches.find(id)) ?? {};
      assert.deepEqual([isBegun, replacedBy !== null, endedAtMs !== null], Array(3).fill(isFromReserve));
    }
  });

  async function addUser(): Promise<UserId> {
    const user = { email: 'karl@example.org', name: 'Karl', role: 'operator' as const, passwordHash: 'x' };
    return (await makeUserStore(database(), NO_MAILS).add({ ...user, createdAtMs: 1 }, by)) ?? assert.fail();
  }

  async function addVoucher(site: Parameters<typeof sampleIntent>[0], upstreamId: string) {
    const vouchers = makeVoucherStore(database(), seal);
    const begun = await vouchers.begin(sampleIntent(site));
    assert.ok(begun.ok);
    const { created } = await vouchers.record(begun.value, [sampleUpstream(upstreamId)]);
    return created[0]?.id ?? assert.fail('no voucher');
  }
});

const IDENTITY = {
  issuer: PROVIDER.issuer,
  subject: 'subject of karl',
  verifiedEmail: 'karl@example.org',
  shownEmail: 'karl@example.org',
  name: 'Karl',
};
