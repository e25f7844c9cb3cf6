// Tests the smaller stores: each change is written with its audit entry, and a call that changes nothing writes none.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { KINDS } from '../../src/kernel/controllers/kinds.ts';
import { asKeyId, asSiteId } from '../../src/kernel/ids.ts';
import { makeKeyStore } from '../../src/kernel/keys/key-store.ts';
import { makeInstallationStore, makeWriteProbe } from '../../src/kernel/settings/installation-store.ts';
import { makeSiteStore } from '../../src/kernel/sites/site-store.ts';
import { upsertSync } from '../../src/kernel/sites/sync-queries.ts';
import { replaceSites } from '../../src/kernel/users/user-queries.ts';
import { makeUserStore } from '../../src/kernel/users/user-store.ts';
import { makeSyncStore } from '../../src/kernel/vouchers/storage/usage-store.ts';
import { makeVoucherStore } from '../../src/kernel/vouchers/storage/voucher-store.ts';
import type { Handle } from '../../src/platform/database/database.ts';
import { actorOf } from '../support/actors.ts';
import { NO_MAILS } from '../support/no-mails.ts';
import { onEveryEngine } from './engines.ts';
import { NOW_MS, sampleIntent, sampleKey, sampleSite, seal } from './samples.ts';

const audit = { actor: actorOf('CLI: ada'), atMs: NOW_MS };
const ada = {
  email: 'ada@example.org',
  name: 'Ada',
  role: 'admin',
  passwordHash: '-',
  createdAtMs: NOW_MS,
} as const;

onEveryEngine('stores', (database) => {
  beforeEach(() =>
    database().write(async (transaction) => {
      for (const table of ['audit', 'api_keys', 'sites', 'users', 'settings'] as const)
        await transaction.deleteFrom(table).execute();
    }),
  );
  const entries = async () => {
    const rows = await database().read.selectFrom('audit').selectAll().orderBy('id').execute();
    return rows.map(({ at_ms, actor, action, subject }) => {
      assert.equal(at_ms, NOW_MS);
      return `${actor} ${action} ${subject}`;
    });
  };

  test('changes to keys are in the audit log, without the hash', async () => {
    const keys = makeKeyStore(database());
    const id = asKeyId('keyAAAAA');
    await keys.add(sampleKey('keyAAAAA'), audit);
    assert.equal(await keys.change(id, { rateLimit: 5 }, audit), true);
    assert.equal(await keys.revoke(id, audit), true);
    assert.equal(await keys.revoke(id, audit), false);
    assert.equal(await keys.change(id, { rateLimit: 6 }, audit), false);
    assert.deepEqual(await entries(), [
      'CLI: ada key.created keyAAAAA: Theke',
      'CLI: ada key.changed keyAAAAA: {"rateLimit":5}',
      'CLI: ada key.revoked keyAAAAA',
    ]);
  });

  test('the sites, the expiry date and the note of a key are in the audit log', async () => {
    const keys = makeKeyStore(database());
    const id = asKeyId('keyAAAAA');
    const expiresAtMs = Date.parse('2026-02-01T00:00:00Z');
    await keys.add(sampleKey(id, { sites: [asSiteId(1)], expiresAtMs, note: 'Kasse' }), audit);
    await keys.change(id, { sites: [] }, audit);
    await keys.change(id, { sites: 'all', expiresAtMs: null, note: '' }, audit);
    assert.deepEqual(await entries(), [
      'CLI: ada key.created keyAAAAA: Theke {"sites":[1],"note":"Kasse","expires":"2026-02-01T00:00:00.000Z"}',
      'CLI: ada key.changed keyAAAAA: {"sites":[]}',
      'CLI: ada key.changed keyAAAAA: {"sites":"all","note":"","expires":null}',
    ]);
  });

  test('a key is found in its current state right after every change', async () => {
    const keys = makeKeyStore(database());
    const id = asKeyId('keyAAAAA');
    assert.equal(await keys.find(id), undefined);
    await keys.add(sampleKey('keyAAAAA'), audit);
    assert.equal((await keys.find(id))?.scope, 'write');
    await keys.change(id, { scope: 'read' }, audit);
    assert.equal((await keys.find(id))?.scope, 'read');
    await keys.revoke(id, audit);
    assert.equal((await keys.find(id))?.revoked, true);
  });

  test('the last uses of several keys are saved together, without an audit entry', async () => {
    const keys = makeKeyStore(database());
    await keys.add(sampleKey('keyAAAAA'), audit);
    await keys.add(sampleKey('keyBBBBB'), audit);
    await keys.saveLastUsed(
      new Map([
        [asKeyId('keyAAAAA'), { atMs: 1, ip: '192.0.2.1' }],
        [asKeyId('keyBBBBB'), { atMs: 2, ip: '192.0.2.2' }],
      ]),
    );
    assert.deepEqual(
      (await keys.list()).map(({ lastUsedAtMs, lastUsedIp }) => [lastUsedAtMs, lastUsedIp]),
      [
        [1, '192.0.2.1'],
        [2, '192.0.2.2'],
      ],
    );
    assert.equal((await entries()).length, 2);
  });

  test('changes to sites are in the audit log, and only active sites are found as active', async () => {
    const sites = makeSiteStore(database(), seal, KINDS);
    const id = await sites.add(sampleSite(), audit);
    assert.equal((await sites.findActive(id))?.name, 'Haus A');
    assert.equal(await sites.change(id, { active: false }, audit), true);
    assert.equal(await sites.findActive(id), undefined);
    assert.equal((await sites.find(id))?.active, false);
    assert.deepEqual(await sites.listActive(), []);
    assert.equal((await sites.list()).length, 1);
    assert.equal(await sites.change(asSiteId(999_999), { active: true }, audit), false);
    assert.equal(await sites.change(id, { name: 'Haus B' }, audit), true);
    assert.deepEqual(await entries(), [
      `CLI: ada site.added site ${id} (Haus A)`,
      `CLI: ada site.changed site ${id} (Haus A): deactivated`,
      `CLI: ada site.changed site ${id} (Haus B): name`,
    ]);
  });

  test('a site can be removed only when it is inactive and no user, voucher or intent refers to it', async () => {
    const sites = makeSiteStore(database(), seal, KINDS);
    const id = await sites.add(sampleSite({ controllerKind: 'unifi' }), audit);
    const write = (work: (transaction: Handle) => Promise<unknown>) => database().write(work);
    await write((transaction) => upsertSync(transaction, id, { synced_at_ms: database().now() }));
    const userId = await makeUserStore(database(), NO_MAILS).add(ada, audit);
    assert.ok(userId !== undefined);
    const remove = async () => (await sites.remove(id, () => true, audit)).kind;
    assert.equal(await remove(), 'refused', 'the site is active');
    await sites.change(id, { active: false }, audit);

    await write((transaction) => replaceSites(transaction, userId, [id]));
    assert.deepEqual([await sites.hasTraces(id), await remove()], [true, 'refused']);
    await write((transaction) => replaceSites(transaction, userId, []));
    const vouchers = makeVoucherStore(database(), seal);
    const begun = await vouchers.begin(sampleIntent(id));
    assert.deepEqual([begun.ok, await sites.hasTraces(id), await remove()], [true, true, 'refused']);
    assert.equal(
      (await makeSyncStore(database(), 60, async () => {}).list()).size,
      1,
      'a refused removal deletes nothing',
    );
    if (begun.ok) await vouchers.abandon(begun.value);

    const limits = { max_uses: 1, expire_minutes: 480, down_kbps: 0, up_kbps: 0, quota_mb: 0 };
    const stock = { site_id: id, state: 'ready', name: 'x', code: '1234567890', made_at_ms: 1, ...limits };
    await write((transaction) => transaction.insertInto('stock').values(stock).execute());
    assert.deepEqual(await sites.listContents(id), { counts: { stock: 1 }, names: {} });
    assert.deepEqual([await sites.hasTraces(id), await remove()], [false, 'removed']);
    assert.equal(await sites.find(id), undefined);
    assert.equal(await remove(), 'refused');
    assert.equal((await entries()).at(-1), `CLI: ada site.removed site ${id} (Haus A): stock: 1`);
  });

  test('changes to users are in the audit log, without their passwords', async () => {
    const users = makeUserStore(database(), NO_MAILS);
    const id = await users.add(ada, audit);
    assert.notEqual(id, undefined);
    assert.equal(await users.add(ada, audit), undefined);
    assert.equal(await users.setPassword(ada.email, { passwordHash: 'new hash', audit }), true);
    assert.equal(await users.setPassword('nobody@example.org', { passwordHash: 'new hash', audit }), false);
    assert.deepEqual(await entries(), [
      `CLI: ada user.added user ${id} (ada@example.org): admin`,
      `CLI: ada user.password-reset user ${id} (ada@example.org)`,
    ]);
  });

  test('an installation is set up completely or not at all', async () => {
    const installation = makeInstallationStore(database(), seal);
    const empty = { isSetupDone: false, users: 0, sites: 0, keys: 0 };
    assert.deepEqual(await installation.state(), empty);
    const plan = { admin: ada, site: sampleSite(), key: sampleKey('keyAAAAA'), atMs: NOW_MS, isFirst: true };
    await assert.rejects(installation.setup({ ...plan, key: sampleKey('keyAAAAA', { rateLimit: -1 }) }));
    assert.deepEqual(await installation.state(), empty);
    assert.deepEqual(await entries(), []);

    const siteId = (await installation.setup(plan))?.siteId;
    const [user] = await makeUserStore(database(), NO_MAILS).list();
    assert.deepEqual(await installation.state(), { isSetupDone: true, users: 1, sites: 1, keys: 1 });
    const made = `user ${user?.id} (ada@example.org), site ${siteId} (Haus A), key keyAAAAA`;
    assert.deepEqual(await entries(), [`Set-up installation.set-up ${made}`]);

    const other = { ...plan, key: sampleKey('keyBBBBB') };
    assert.equal(await installation.setup(other), undefined, 'another process was faster');
    assert.deepEqual(await installation.state(), { isSetupDone: true, users: 1, sites: 1, keys: 1 });
  });

  test('the write probe writes to the database', async () => {
    const before = database().changeStamp();
    await makeWriteProbe(database(), { nowMs: () => NOW_MS })();
    const row = await database().read.selectFrom('settings').selectAll().executeTakeFirst();
    assert.deepEqual([row?.name, row?.value], ['last_probe', String(NOW_MS)]);
    if (before !== undefined) assert.notEqual(database().changeStamp(), before);
  });
});
