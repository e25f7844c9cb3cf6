// How clients tell the two flavours apart, and what each of them has and has not.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { signIn, type TestSimulator, useSimulators } from './support/simulator.ts';

const startSimulator = useSimulators();

describe('a UniFi OS console', () => {
  let simulator: TestSimulator;
  before(async () => {
    simulator = await startSimulator({ flavour: 'unifi-os' });
  });

  test('answers its root with a page', async () => {
    const root = await simulator.call('GET', '/');
    assert.equal(root.status, 200);
    assert.match(String(root.headers['content-type']), /^text\/html/);
  });

  test('tells its version without a login', async () => {
    const { json } = await simulator.call('GET', '/proxy/network/status');
    assert.equal(json.meta.rc, 'ok');
    assert.equal(json.meta.server_version, '10.5.66');
    assert.match(json.meta.uuid, /^[0-9a-f-]{36}$/);
    assert.deepEqual(json.data, []);
  });

  test("does not know the classic server's login", async () => {
    const { username, password } = simulator;
    const { status } = await simulator.call('POST', '/api/login', { body: { username, password } });
    assert.equal(status, 401);
  });

  test('takes the API key on the classic paths, without cookie and CSRF token', async () => {
    const path = '/proxy/network/api/s/default/cmd/hotspot';
    const order = { cmd: 'create-voucher', n: 1, quota: 1, expire: 60, note: 'by key' };
    assert.equal((await simulator.byKey('POST', path, { body: order })).status, 200);
    assert.equal((await simulator.byKey('GET', '/proxy/network/api/self/sites')).json.data.length, 2);
    const wrong = await simulator.call('GET', '/proxy/network/api/self', { headers: { 'x-api-key': 'no' } });
    assert.equal(wrong.status, 401);
    assert.deepEqual(wrong.json, { error: { code: 401, message: 'Unauthorized' } });
  });

  test('knows nothing at paths nobody knows', async () => {
    assert.equal((await simulator.call('GET', '/nowhere')).status, 404);
    assert.equal((await simulator.byKey('GET', '/proxy/network/api/nowhere')).status, 404);
  });
});

describe('a classic server', () => {
  let simulator: TestSimulator;
  before(async () => {
    simulator = await startSimulator({ flavour: 'unifi-classic' });
  });

  test('sends its root to /manage by a relative address, and has a page there', async () => {
    const root = await simulator.call('GET', '/');
    assert.equal(root.status, 302);
    assert.equal(root.headers.location, '/manage');
    assert.equal((await simulator.call('GET', '/manage')).status, 200);
  });

  test('tells its version without a login', async () => {
    assert.equal((await simulator.call('GET', '/status')).json.meta.server_version, '10.5.66');
  });

  test("does not know the console's login", async () => {
    const { username, password } = simulator;
    const { status } = await simulator.call('POST', '/api/auth/login', { body: { username, password } });
    assert.equal(status, 404);
  });

  test('has no official API and takes no key', async () => {
    assert.equal((await simulator.integration('GET', '/info')).status, 404);
    assert.equal((await simulator.byKey('GET', '/integration/v1/info')).status, 404);
    const { status, json } = await simulator.byKey('GET', '/api/self/sites');
    assert.equal(status, 401);
    assert.equal(json.meta.msg, 'api.err.LoginRequired');
  });

  test('asks for no CSRF token', async () => {
    const { site, csrfToken } = await signIn(simulator);
    assert.equal(csrfToken, '');
    const body = { cmd: 'create-voucher', n: 1, quota: 1, expire: 60 };
    assert.equal((await site('POST', 'cmd/hotspot', { body })).status, 200);
  });
});

test('a site keeps its ids over a restart, and the official id is the classic external_id', async () => {
  const [first, second] = [await startSimulator(), await startSimulator()];
  assert.equal(first.siteUuid, second.siteUuid);
  const { json } = await first.byKey('GET', '/proxy/network/api/self/sites');
  assert.equal(json.data[0].external_id, first.siteUuid);
  assert.match(json.data[0]._id, /^[0-9a-f]{24}$/);
});
