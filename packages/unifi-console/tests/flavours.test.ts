// How clients distinguish the two flavours, and what each flavour has.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { openSession, prefixOf, type TestConsole, useConsoles } from './support/test-console.ts';

const startConsole = useConsoles();

describe('a UniFi OS console', () => {
  let console: TestConsole;
  before(async () => {
    console = await startConsole({ flavour: 'unifi-os' });
  });

  test('responds to GET / with a page', async () => {
    const root = await console.call('GET', '/');
    assert.equal(root.status, 200);
    assert.match(String(root.headers['content-type']), /^text\/html/);
  });

  test('shows its version without a login', async () => {
    const { json } = await console.call('GET', '/proxy/network/status');
    assert.equal(json.meta.rc, 'ok');
    assert.equal(json.meta.server_version, '10.5.66');
    assert.match(json.meta.uuid, /^[0-9a-f-]{36}$/);
    assert.deepEqual(json.data, []);
  });

  test('does not have the login path of the classic server', async () => {
    const { username, password } = console;
    const { status } = await console.call('POST', '/api/login', { body: { username, password } });
    assert.equal(status, 401);
  });

  test('accepts the API key on the classic paths, without cookie and CSRF token', async () => {
    const path = '/proxy/network/api/s/default/cmd/hotspot';
    const order = { cmd: 'create-voucher', n: 1, quota: 1, expire: 60, note: 'by key' };
    assert.equal((await console.byKey('POST', path, { body: order })).status, 200);
    assert.equal((await console.byKey('GET', '/proxy/network/api/self/sites')).json.data.length, 2);
    const wrong = await console.call('GET', '/proxy/network/api/self', { headers: { 'x-api-key': 'no' } });
    assert.equal(wrong.status, 401);
    assert.deepEqual(wrong.json, { error: { code: 401, message: 'Unauthorized' } });
  });

  test('responds with 404 to unknown paths', async () => {
    assert.equal((await console.call('GET', '/nowhere')).status, 404);
    assert.equal((await console.byKey('GET', '/proxy/network/api/nowhere')).status, 404);
  });
});

describe('a classic server', () => {
  let console: TestConsole;
  before(async () => {
    console = await startConsole({ flavour: 'unifi-classic' });
  });

  test('redirects / to /manage with a relative URL, and has a page there', async () => {
    const root = await console.call('GET', '/');
    assert.equal(root.status, 302);
    assert.equal(root.headers.location, '/manage');
    assert.equal((await console.call('GET', '/manage')).status, 200);
  });

  test('shows its version without a login', async () => {
    assert.equal((await console.call('GET', '/status')).json.meta.server_version, '10.5.66');
  });

  test('does not have the login path of the console', async () => {
    const { username, password } = console;
    const { status } = await console.call('POST', '/api/auth/login', { body: { username, password } });
    assert.equal(status, 404);
  });

  test('has no official API and accepts no API key', async () => {
    assert.equal((await console.integration('GET', '/info')).status, 404);
    assert.equal((await console.byKey('GET', '/integration/v1/info')).status, 404);
    const { status, json } = await console.byKey('GET', '/api/self/sites');
    assert.equal(status, 401);
    assert.equal(json.meta.msg, 'api.err.LoginRequired');
  });

  test('requires no CSRF token', async () => {
    const { site, csrfToken } = await openSession(console);
    assert.equal(csrfToken, '');
    const body = { cmd: 'create-voucher', n: 1, quota: 1, expire: 60 };
    assert.equal((await site('POST', 'cmd/hotspot', { body })).status, 200);
  });
});

test('a site keeps its ids across a restart, and the official id is the classic external_id', async () => {
  const [first, second] = [await startConsole(), await startConsole()];
  assert.equal(first.siteUuid, second.siteUuid);
  const { json } = await first.byKey('GET', '/proxy/network/api/self/sites');
  assert.equal(json.data[0].external_id, first.siteUuid);
  assert.match(json.data[0]._id, /^[0-9a-f]{24}$/);
});

for (const flavour of ['unifi-os', 'unifi-classic'] as const)
  test(`on ${flavour}, one slash at the end of a classic path is ignored, and two are not`, async () => {
    const console = await startConsole({ flavour });
    const { username, password } = console;
    const prefix = prefixOf(flavour);
    const { call, site } = await openSession(console);
    assert.equal((await call('GET', `${prefix}/api/self/sites/`)).json.data.length, 2);
    const order = { cmd: 'create-voucher', n: 1, quota: 1, expire: 60 };
    assert.equal((await site('POST', 'cmd/hotspot/', { body: order })).status, 200);
    assert.equal((await site('GET', 'stat/voucher/')).json.data.length, 1);
    assert.equal((await site('GET', 'stat/voucher//')).status, 400);
    if (flavour === 'unifi-classic')
      assert.equal((await call('POST', '/api/login/', { body: { username, password } })).status, 200);
    else assert.notEqual((await console.integration('GET', '/sites/')).status, 200);
  });
