// The control API over HTTP: redeem vouchers, set and remove faults, change switches, read counters. Also which
// requests a fault affects, and that no fault affects the control API itself.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { FAULT_KINDS } from '../src/faults/fault-list.ts';
import { type TestConsole, useConsoles } from './support/test-console.ts';

const startConsole = useConsoles();

let console: TestConsole;
before(async () => {
  console = await startConsole();
});
beforeEach(() => console.call('DELETE', '/_simulator/faults'));

const door = (method: string, path: string, body?: unknown) =>
  console.call(method, `/_simulator${path}`, body === undefined ? {} : { body });
const sites = () => console.byKey('GET', '/proxy/network/api/self/sites');
const info = () => console.integration('GET', '/info');

test('the control API describes itself', async () => {
  const { status, json } = await door('GET', '');
  assert.equal(status, 200);
  assert.equal(json.flavour, 'unifi-os');
  assert.deepEqual(json.sites[1].name, 'k3w9x2pb');
  assert.ok(json.doors.includes('POST /_simulator/redeem'));
});

test('vouchers are created, redeemed, listed and deleted', async () => {
  const made = await door('POST', '/vouchers', { site: 'k3w9x2pb', count: 2, note: 'Zimmer 12', quota: 3 });
  assert.equal(made.status, 201);
  const [{ code }] = made.json.vouchers;
  const used = await door('POST', '/redeem', { code, devices: 2 });
  assert.deepEqual([used.status, used.json.letIn.length, used.json.voucher.used], [200, 2, 2]);
  const partly = await door('POST', '/redeem', { code, devices: 2 });
  assert.deepEqual([partly.json.letIn.length, partly.json.turnedAway], [1, 1]);
  const full = await door('POST', '/redeem', { code });
  assert.deepEqual([full.status, full.json], [409, { problem: 'used-up' }]);
  assert.equal((await door('GET', '/vouchers?site=k3w9x2pb')).json.vouchers.length, 2);
  assert.equal((await door('GET', '/vouchers?site=default')).json.vouchers.length, 0);
  assert.equal((await door('DELETE', `/vouchers?code=${code}`)).status, 200);
  assert.equal((await door('DELETE', `/vouchers?code=${code}`)).status, 409);
  assert.equal((await door('GET', '/vouchers?site=k3w9x2pb')).json.vouchers.length, 1);
});

test('switches are shown and changed', async () => {
  const { json } = await door('GET', '/switches');
  assert.deepEqual(json, {
    latencyMs: 0,
    sessionTtlMs: null,
    loginsPerMinute: 5,
    strictCsrf: true,
    singleUseDisappears: false,
    legacyEnvelope: false,
    createWithoutCountIsLost: false,
    anyLimit: false,
  });
  await door('PATCH', '/switches', { legacyEnvelope: true, loginsPerMinute: null });
  assert.equal((await info()).json.applicationVersion, '9.4.19');
  await door('PATCH', '/switches', { legacyEnvelope: false, loginsPerMinute: 5 });
  assert.equal((await info()).json.applicationVersion, '10.5.66');
});

test('counters count requests by operation, and can be reset', async () => {
  await door('DELETE', '/counters');
  await sites();
  await sites();
  await info();
  await console.call('GET', '/nowhere');
  const { json } = await door('GET', '/counters');
  assert.deepEqual(json.requests, { sites: 2, info: 1, unknown: 1 });
  assert.equal(json.requestsInAll, 4);
  assert.ok(json.connectionsOpen >= 1);
  await door('DELETE', '/counters');
  assert.deepEqual((await door('GET', '/counters')).json.requests, {});
});

test('invalid input is refused with all reasons at once', async () => {
  const cases: [string, string, unknown, number][] = [
    ['POST', '/faults', { kind: 'sulk', times: -1, colour: 'red' }, 3],
    ['POST', '/faults', { kind: 'drip', bytes: 0 }, 1],
    ['POST', '/faults', { kind: 'status', status: 99, match: 'lunch', body: 'soup', api: 'x', ms: '1' }, 5],
    ['POST', '/vouchers', { site: 'nowhere' }, 1],
    ['GET', '/vouchers?site=nowhere', undefined, 1],
    ['POST', '/vouchers', { count: 0, quota: -1, colour: 'red' }, 3],
    ['PATCH', '/switches', { strictCsrf: 1, colour: 'red', latencyMs: null }, 3],
    ['POST', '/redeem', { code: 12_345 }, 1],
    ['POST', '/redeem', { code: '12345', devices: 0 }, 1],
    ['POST', '/redeem', '[', 1],
  ];
  for (const [method, path, body, problems] of cases) {
    const { status, json } = await door(method, path, body);
    assert.equal(status, 400, path);
    assert.equal(json.problems.length, problems, JSON.stringify(json));
  }
  assert.deepEqual((await door('GET', '/faults')).json.faults, []);
  assert.equal((await door('GET', '/nowhere')).status, 404);
});

test('there are more than thirty kinds of faults, each with a description', async () => {
  const { json } = await door('GET', '/fault-kinds');
  assert.deepEqual(Object.keys(json), FAULT_KINDS);
  assert.ok(FAULT_KINDS.length > 30, String(FAULT_KINDS.length));
});

describe('a fault', () => {
  const set = async (fault: object) => (await door('POST', '/faults', fault)).json.id;

  test('affects one request, is listed as over, and can be removed', async () => {
    const id = await set({ match: 'sites', kind: 'status', status: 503 });
    assert.deepEqual(
      [(await info()).status, (await sites()).status, (await sites()).status],
      [200, 503, 200],
    );
    const { json } = await door('GET', '/faults');
    assert.deepEqual(json.faults, [
      { id, fault: { kind: 'status', match: 'sites', status: 503 }, met: 1, isOver: true },
    ]);
    await door('DELETE', '/faults');
    assert.deepEqual((await door('GET', '/faults')).json.faults, []);
  });

  test('affects as many requests as `times` says, or all', async () => {
    await set({ match: 'any', kind: 'status', status: 503, times: 2 });
    assert.deepEqual([(await info()).status, (await sites()).status, (await info()).status], [503, 503, 200]);
    await set({ kind: 'status', status: 502, times: 'always' });
    for (let round = 0; round < 5; round++) assert.equal((await sites()).status, 502);
  });

  test('lets the first requests pass with `skip`', async () => {
    await set({ match: 'sites', kind: 'status', status: 503, skip: 2 });
    const statuses = [];
    for (let round = 0; round < 4; round++) statuses.push((await sites()).status);
    assert.deepEqual(statuses, [200, 200, 503, 200]);
  });

  test('affects only one API with `api`', async () => {
    await set({ match: 'sites', api: 'integration', kind: 'status', status: 503 });
    assert.equal((await sites()).status, 200);
    assert.equal((await console.integration('GET', '/sites')).status, 503);
  });

  test('that was set first applies first; the next fault applies after it', async () => {
    await set({ kind: 'status', status: 501 });
    await set({ kind: 'status', status: 502 });
    assert.deepEqual(
      [(await sites()).status, (await sites()).status, (await sites()).status],
      [501, 502, 200],
    );
  });

  test('never affects the control API', async () => {
    await set({ kind: 'cut-before-write', times: 'always' });
    assert.equal((await door('GET', '/counters')).status, 200);
  });
});

test('the control API can end all login sessions', async () => {
  const { username, password } = console;
  const body = { username, password };
  const login = await console.call('POST', '/api/auth/login', { body });
  const cookie = String(login.headers['set-cookie']).split(';')[0] ?? '';
  const self = () => console.call('GET', '/api/users/self', { headers: { cookie } });
  assert.equal((await self()).status, 200);
  await door('DELETE', '/sessions');
  assert.equal((await self()).status, 401);
});

test('latency delays every response, and can be turned off through the control API', async () => {
  const slow = await startConsole({ flavour: 'unifi-classic', latencyMs: 600_000 });
  const waiting = slow.call('GET', '/status');
  const hurry = await Promise.race([waiting, slow.call('GET', '/_simulator').then(() => 'overtaken')]);
  assert.equal(hurry, 'overtaken');
  await slow.call('PATCH', '/_simulator/switches', { body: { latencyMs: 0 } });
  assert.equal((await slow.call('GET', '/status')).status, 200);
  waiting.catch(() => {});
});
