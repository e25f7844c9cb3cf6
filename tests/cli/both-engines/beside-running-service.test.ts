// Tests the command line on an installation while the service runs: changes apply to the next request to the service.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  callApi,
  makeFolder,
  type RunningGastpass,
  runGastpass,
  startGastpass,
} from '../../support/run-gastpass.ts';

const { folder: dataDir, remove } = makeFolder();
let service: RunningGastpass;
let key: string;

async function gastpass(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runGastpass(words, { dataDir });
  assert.equal(stderr, '');
  assert.equal(code, 0);
  return stdout.trimEnd();
}

before(async () => {
  service = await startGastpass({ dataDir, environment: { GASTPASS_DEMO: '0' } });
  key = await gastpass('keys', 'create', '--name', 'Theke', '--scope', 'write');
});
after(async () => {
  await service.stop();
  remove();
});

test('a new key works at once, and a revoked key stops working at once', async () => {
  const made = JSON.parse(await gastpass('keys', 'create', '--name', 'kurz', '--scope', 'read', '--json'));
  const request = { key: made.key, path: 'sites.php' };
  assert.equal((await callApi(service, request)).status, 200);
  await gastpass('keys', 'revoke', made.id);
  assert.equal((await callApi(service, request)).status, 401);
});

test('a change of scope and limit applies from the next request on', async () => {
  const made = JSON.parse(await gastpass('keys', 'create', '--name', 'neu', '--scope', 'write', '--json'));
  const order = { key: made.key, body: { site_id: 999, name: 'x' } };
  assert.equal((await callApi(service, order)).status, 404);
  await gastpass('keys', 'set', made.id, '--scope', 'read', '--rate-limit', '1');
  assert.equal((await callApi(service, order)).status, 403);
  assert.equal((await callApi(service, order)).status, 429);
});

test('a new site accepts vouchers at once, and none after it is deactivated', async () => {
  const id = Number(await gastpass('sites', 'add', '--name', 'Haus A', '--controller', 'simulator'));
  const order = { key, body: { site_id: id, name: 'Zimmer 12' } };
  assert.equal((await callApi(service, order)).status, 201);
  await gastpass('sites', 'set', String(id), '--inactive');
  assert.equal((await callApi(service, order)).status, 404);
  const { json } = await callApi(service, { key, path: 'sites.php' });
  assert.deepEqual(json.sites, []);
});

test('a changed controller site is used at once', async () => {
  const words = ['--name', 'Haus B', '--controller', 'simulator', '--site', 'fail:refuse'];
  const id = Number(await gastpass('sites', 'add', ...words));
  const order = { key, body: { site_id: id, name: 'Zimmer 12' } };
  assert.equal((await callApi(service, order)).status, 500);
  await gastpass('sites', 'set', String(id), '--site', 'default');
  assert.equal((await callApi(service, order)).status, 201);
});

test('vouchers that a command creates and revokes are in the next list of the API', async () => {
  const id = await gastpass('sites', 'add', '--name', 'Haus V', '--controller', 'simulator');
  const list = async () => {
    const { json } = await callApi(service, { key, path: `vouchers.php?site_id=${id}` });
    return json.vouchers.map((one: Record<string, unknown>) => [one.voucher_code, one.status]);
  };
  assert.deepEqual(await list(), []);
  const code = await gastpass('vouchers', 'create', '--site', id, '--name', 'Zimmer 12');
  assert.deepEqual(await list(), [[code.replace('-', ''), 'valid']]);
  await gastpass('vouchers', 'revoke', '--site', id, '--code', code);
  assert.deepEqual(await list(), [[code.replace('-', ''), 'expired']]);
  assert.match(await gastpass('vouchers', 'list', '--site', id, '--search', code), /Zimmer 12 .* revoked /);
});

test('doctor finds no problem while the service runs', async () => {
  const environment = { PORT: new URL(service.url).port };
  const { code, stdout } = await runGastpass(['doctor'], { dataDir, environment });
  assert.match(stdout, /^ok {7}Database: Can be read and written/m);
  assert.match(stdout, /^ok {7}Service: Running at http:\/\/127\.0\.0\.1:\d+, version \d+\.\d+\.\d+$/m);
  assert.equal(code, 0);
});

test('a guest is found, exported and erased, also on the controller and in the list of the API', async () => {
  const id = await gastpass('sites', 'add', '--name', 'Haus C', '--controller', 'simulator');
  const order = { key, body: { site_id: Number(id), name: 'Erika Mustermann' } };
  assert.equal((await callApi(service, order)).status, 201);
  const names = async () => {
    const { json } = await callApi(service, { key, path: `vouchers.php?site_id=${id}` });
    return JSON.stringify(json.vouchers);
  };
  const found = JSON.parse(await gastpass('privacy', 'find', 'erika mustermann', '--json'));
  assert.deepEqual(
    found.map(({ table, found: count }: { table: string; found: number }) => [table, count]),
    [
      ['vouchers', 1],
      ['audit', 1],
    ],
  );
  const exported = await runGastpass(['privacy', 'export', 'Mustermann'], { dataDir });
  assert.equal(JSON.parse(exported.stdout).length, 2);

  const erase = ['privacy', 'erase', 'Erika Mustermann'];
  assert.equal((await runGastpass(erase, { dataDir })).code, 2);
  const half = await runGastpass([...erase, '--yes'], { dataDir });
  assert.equal(half.code, 1);
  assert.match(half.stderr, /still in 1 record;/);
  assert.match(await names(), /Erika Mustermann/);
  await gastpass(...erase, '--yes', '--revoke');
  assert.doesNotMatch(await names(), /Mustermann/);
  assert.match(await gastpass('privacy', 'find', 'Mustermann'), /^Nothing found\./);
});
