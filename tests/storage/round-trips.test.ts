// Tests how many round trips to PostgreSQL API requests take, and that creations of one site do not wait for each
// other.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openInstallation } from '../../src/app/installation.ts';
import { problemResponse } from '../../src/kernel/contract/problem-response.ts';
import { makeVoucherListCache } from '../../src/kernel/contract/voucher-list-cache.ts';
import { makeVouchersHandler } from '../../src/kernel/contract/vouchers-handler.ts';
import { makeWithApiKey } from '../../src/kernel/contract/with-api-key.ts';
import { asSiteId, type SiteId } from '../../src/kernel/ids.ts';
import type { Installation } from '../../src/kernel/installation.ts';
import { makeVerifyKey } from '../../src/kernel/keys/verify-key.ts';
import { makeCreateVoucher } from '../../src/kernel/vouchers/create-vouchers.ts';
import type { Intent } from '../../src/kernel/vouchers/voucher-records.ts';
import type { Handler } from '../../src/platform/http/handler.ts';
import { ok } from '../../src/platform/values/result.ts';
import { TESTER } from '../support/actors.ts';
import { type CountingProxy, startCountingProxy } from '../support/counting-proxy.ts';
import { makeTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { testConfig } from '../support/test-service.ts';
import { unobserved } from '../support/unobserved.ts';
import { sampleIntent, sampleUpstream } from './samples.ts';

const AT_ONCE = 40;

const folder = makeFolder();
let made: TestDatabase;
let proxy: CountingProxy;
let installation: Installation;
let siteId: SiteId;
let handle: Handler;
before(async () => {
  made = await makeTestDatabase();
  proxy = await startCountingProxy(made.url);
  installation = await openInstallation(
    testConfig({
      DATA_DIR: folder.folder,
      DATABASE_URL: proxy.url,
      GASTPASS_SECRET: 'the secret of the counted installation',
    }),
  );
  const site = { name: 'Haus A', active: true, controllerSite: 'default', connection: null };
  siteId = asSiteId(
    await installation.sites.add({ ...site, controllerKind: 'simulator' }, { actor: TESTER, atMs: 1 }),
  );
  handle = makeHandler(installation);
});
after(async () => {
  await installation.close();
  proxy.close();
  await made.drop();
  folder.remove();
});

/** The handler as the service makes it, without background jobs, which would be counted. */
function makeHandler({ keys, clock, vouchers, ...others }: Installation): Handler {
  const floodGuard = { isFlooding: () => false, allowsLookUp: async () => true, note() {} };
  const lastUsed = { note() {} };
  const withApiKey = makeWithApiKey({
    verifyKey: makeVerifyKey({ keys, floodGuard, lastUsed, clock }),
    rateCounter: others.rateCounter,
    lastUsed,
    observeKeyRefusal() {},
    presentProblem: problemResponse,
    changeStamp: others.changeStamp,
    clock,
  });
  return withApiKey(
    makeVouchersHandler({
      listResponse: makeVoucherListCache({ vouchers, clock }),
      createVoucher: makeCreateVoucher({ ...others, ...unobserved, vouchers, clock, timeZone: 'UTC' }),
      log: unobserved.log,
    }),
  );
}

async function issueKey(rateLimit: number): Promise<string> {
  const by = { actor: TESTER, atMs: 1 };
  return (await installation.issueKey({ name: 'Theke', scope: 'write', rateLimit }, by)).keyText;
}

/** Sends a request and returns its status and the number of its round trips. */
async function ask(method: 'GET' | 'POST', key: string, headers: Record<string, string> = {}) {
  proxy.take();
  const { status } = await handle({
    id: 'request',
    method,
    query: `site_id=${siteId}`,
    headers: { 'x-api-key': key, ...headers },
    isHttps: () => true,
    clientIp: () => '192.0.2.1',
    headerOfProxy: () => [],
    readBody: async () => ok(Buffer.from(JSON.stringify({ site_id: siteId, name: 'Gast' }))),
  });
  return [status, proxy.take()];
}

test('a list takes one round trip, and another one only after a change', async () => {
  for (const key of [await issueKey(0), await issueKey(1_000)]) {
    // The first request finds out whether the key has a limit.
    await ask('GET', key);
    assert.deepEqual(await ask('POST', key), [201, 4]);
    assert.deepEqual(await ask('GET', key), [200, 2]);
    assert.deepEqual(await ask('GET', key), [200, 1]);
  }
});

test('a creation takes four round trips: key and limit, site, intent, record', async () => {
  const key = await issueKey(1_000);
  assert.deepEqual(await ask('POST', key), [201, 5], 'the first request finds out that the key has a limit');
  assert.deepEqual(await ask('POST', key), [201, 4]);
  const once = { 'idempotency-key': 'once' };
  assert.deepEqual(await ask('POST', key, once), [201, 5]);
  assert.deepEqual(await ask('POST', key, once), [201, 3], 'a repeated request also reads its voucher');
});

async function begin(): Promise<Intent> {
  const opened = await installation.vouchers.begin(sampleIntent(siteId));
  assert.ok(opened.ok && opened.value[0]);
  return opened.value[0];
}

test('abandoning an intent takes one round trip', async () => {
  const intent = await begin();
  proxy.take();
  assert.equal(await installation.vouchers.abandon([intent]), true);
  assert.equal(proxy.take(), 1);
});

test('a creation does not wait for a transaction that holds the site, and raises the version at once', async () => {
  const { vouchers } = installation;
  const before = (await vouchers.listVersion(siteId)) ?? 0;
  const intent = await begin();
  const holding = await made.hold('update sites set active = active');
  const recording = await vouchers.record([intent], [sampleUpstream('held')]);
  assert.equal(recording.created.length, 1);
  assert.equal(await vouchers.listVersion(siteId), before + 1);
  await holding.release();
});

test('the list version counts every creation, however many happen at the same time', async () => {
  const { vouchers } = installation;
  const before = (await vouchers.listVersion(siteId)) ?? 0;
  const intents = await Promise.all(Array.from({ length: AT_ONCE }, begin));
  await Promise.all(intents.map((intent) => vouchers.record([intent], [sampleUpstream(`id-${intent.id}`)])));
  assert.equal(await vouchers.listVersion(siteId), before + AT_ONCE);
  // Instances of earlier releases know the column only.
  const column = async () =>
    Number((await made.rows('select list_version from sites where id = $1', siteId))[0]?.list_version);
  while ((await column()) < before + AT_ONCE);
  assert.equal(await column(), before + AT_ONCE);
  assert.deepEqual(await made.rows('select * from list_changes'), []);
});
