// Errors of the official API: the console's format without a key, the application's flat format otherwise.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type TestConsole, useConsoles } from './support/test-console.ts';

const startConsole = useConsoles();

const NOBODY = '0c9d0000-0000-4000-8000-000000000000';

let console: TestConsole;
let path: string;
before(async () => {
  console = await startConsole();
  path = `/sites/${console.siteUuid}/hotspot/vouchers`;
});

test('the key is checked before everything else, and a wrong key is refused in the format of the console', async () => {
  for (const headers of [{}, { 'x-api-key': 'wrong' }])
    for (const target of ['/info', '/sites', path, '/nowhere', '/sites/default/hotspot/vouchers']) {
      const reply = await console.call('GET', `/proxy/network/integration/v1${target}`, { headers });
      assert.equal(reply.status, 401, target);
      assert.deepEqual(reply.json, { error: { code: 401, message: 'Unauthorized' } });
    }
});

test('the header name of the key is case-insensitive', async () => {
  const headers = { 'X-API-Key': console.apiKey };
  const { json } = await console.call('GET', '/proxy/network/integration/v1/info', { headers });
  assert.deepEqual(json, { applicationVersion: '10.5.66' });
});

test('an error contains status, code, time and path, the path without the console prefix', async () => {
  const target = `${path}/${NOBODY}`;
  const { status, headers, json } = await console.integration('GET', target);
  const { requestId, ...rest } = json;
  assert.equal(status, 404);
  assert.equal(headers['content-type'], 'application/json');
  assert.match(requestId, /^[0-9a-f-]{36}$/);
  assert.deepEqual(rest, {
    statusCode: 404,
    statusName: 'NOT_FOUND',
    code: 'api.resource-not-found',
    message: 'Voucher not found',
    timestamp: new Date(console.clock.nowMs()).toISOString(),
    requestPath: `/integration/v1${target}`,
  });
});

test('with legacyEnvelope an error has no code, and the version is older than 10', async () => {
  const legacy = await startConsole({ legacyEnvelope: true });
  const { json } = await legacy.integration('GET', `/sites/${NOBODY}/hotspot/vouchers`);
  assert.equal(json.statusName, 'NOT_FOUND');
  assert.ok(!('code' in json));
  assert.equal((await legacy.integration('GET', '/info')).json.applicationVersion, '9.4.19');
});

test('ids that are not UUIDs, unknown sites, unknown paths and wrong methods get different errors', async () => {
  const cases: [string, string, number, string][] = [
    ['GET', '/sites/default/hotspot/vouchers', 400, 'api.request.argument-type-mismatch'],
    ['GET', `${path}/mine`, 400, 'api.request.argument-type-mismatch'],
    ['DELETE', `${path}/mine`, 400, 'api.request.argument-type-mismatch'],
    ['GET', `/sites/${NOBODY}/hotspot/vouchers`, 404, 'api.resource-not-found'],
    ['GET', '/nowhere', 404, 'api.resource-not-found'],
    ['GET', `/sites/${console.siteUuid}/coffee`, 404, 'api.resource-not-found'],
  ];
  for (const [method, target, status, code] of cases) {
    const reply = await console.integration(method, target);
    assert.deepEqual([reply.status, reply.json.code], [status, code], `${method} ${target}`);
  }
  const wrongMethod = await console.integration('PUT', path);
  assert.deepEqual([wrongMethod.status, wrongMethod.headers.allow], [405, 'GET, POST, DELETE']);
  assert.equal((await console.integration('POST', '/info')).headers.allow, 'GET');
});

test('a voucher of one site is unknown on the other site', async () => {
  const [elsewhere] = console.controls.fill({ site: 'k3w9x2pb', note: 'there' });
  assert.equal((await console.integration('GET', `${path}/${elsewhere?.uuid}`)).status, 404);
  const filter = new URLSearchParams({ filter: `code.eq('${elsewhere?.code}')` });
  assert.equal((await console.integration('GET', `${path}?${filter}`)).json.totalCount, 0);
  assert.equal((await console.integration('DELETE', `${path}?${filter}`)).json.vouchersDeleted, 0);
});

test('guest devices are listed, shown, unauthorized and authorized again', async () => {
  const [voucher] = console.controls.fill({ quota: 1, durationMinutes: 60 });
  assert.ok(console.controls.redeem({ code: voucher?.code ?? '' }).ok);
  const clients = `/sites/${console.siteUuid}/clients`;
  const filter = new URLSearchParams({ filter: "access.type.eq('GUEST')" });
  const [device] = (await console.integration('GET', `${clients}?${filter}`)).json.data;
  const shown = (await console.integration('GET', `${clients}/${device.id}`)).json;
  assert.equal(shown.access.authorization.authorizationMethod, 'VOUCHER');
  assert.ok(!JSON.stringify(shown).includes(voucher?.code ?? ''), 'the device must not show its voucher');

  const act = (body: object) => console.integration('POST', `${clients}/${device.id}/actions`, { body });
  const out = (await act({ action: 'UNAUTHORIZE_GUEST_ACCESS' })).json;
  assert.equal(out.revokedAuthorization.authorizationMethod, 'VOUCHER');
  assert.equal((await console.integration('GET', `${clients}/${device.id}`)).json.access.authorized, false);
  const again = (await act({ action: 'AUTHORIZE_GUEST_ACCESS', timeLimitMinutes: 5 })).json;
  assert.equal(again.grantedAuthorization.authorizationMethod, 'API');
  assert.equal((await act({})).json.code, 'api.request.missing-type-id');
  assert.equal((await act({ action: 'AUTHORIZE_GUEST_ACCESS', timeLimitMinutes: 0 })).status, 400);
});
