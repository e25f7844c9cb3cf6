// GET /vouchers.php → 200 from the caches: on SQLite, a creation by this process does not make it read lists or keys
// again, and the next request sees what another process has written.

import assert from 'node:assert/strict';
import { StatementSync } from 'node:sqlite';
import { after, before, type TestContext, test } from 'node:test';
import { runGastpass } from '../../support/run-gastpass.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ jobs: false });
});
after(() => service.stop());

/** Counts the queries of SQLite from now on. */
function countQueries(context: TestContext): () => number {
  const all = context.mock.method(StatementSync.prototype, 'all');
  return () => all.mock.callCount();
}

const create = (siteId: number, name: string) =>
  service.call('POST', 'vouchers.php', { body: { site_id: siteId, name } });

async function listNames(siteId: number): Promise<string[]> {
  const { json } = await service.call('GET', `vouchers.php?site_id=${siteId}`);
  return json.vouchers.map(({ voucher_name }: { voucher_name: string }) => voucher_name.slice(11));
}

test('after a creation no list is read again, and the new voucher is in front of its list', async (context) => {
  const other = await service.addSite();
  for (const name of ['one', 'two']) await create(1, name);
  for (const siteId of [1, other]) await listNames(siteId);
  await create(1, 'three');
  const queries = countQueries(context);
  assert.deepEqual(await listNames(1), ['three', 'two', 'one']);
  assert.deepEqual(await listNames(other), []);
  assert.equal(queries(), 0);
});

async function gastpass(...words: string[]): Promise<void> {
  const { code, stderr } = await runGastpass(words, { dataDir: service.config.dataDir });
  assert.deepEqual([code, stderr], [0, '']);
}

test('a voucher that the command line creates is in the next list, and is not lost by the next creation', async () => {
  const siteId = await service.addSite();
  await create(siteId, 'first');
  assert.deepEqual(await listNames(siteId), ['first']);
  await gastpass('vouchers', 'create', '--site', String(siteId), '--name', 'second');
  // The clock of the command line is not that of the service.
  assert.deepEqual((await listNames(siteId)).sort(), ['first', 'second']);
  await gastpass('vouchers', 'create', '--site', String(siteId), '--name', 'third');
  await create(siteId, 'fourth');
  assert.deepEqual((await listNames(siteId)).sort(), ['first', 'fourth', 'second', 'third']);
});

test('a site that the command line deactivates is missing in the next list of sites', async () => {
  const siteId = await service.addSite();
  const ids = async () =>
    (await service.call('GET', 'sites.php')).json.sites.map(({ id }: { id: number }) => id);
  assert.ok((await ids()).includes(siteId));
  assert.equal((await create(siteId, 'x')).status, 201);
  await gastpass('sites', 'set', String(siteId), '--inactive');
  assert.ok(!(await ids()).includes(siteId));
  assert.equal((await create(siteId, 'x')).status, 404);
});
