// Vouchers in the classic API: what an order may contain, what the response contains, listing and deleting.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  type LoggedIn,
  openSession,
  type Reply,
  type TestConsole,
  useConsoles,
} from './support/test-console.ts';

const startConsole = useConsoles();

let console: TestConsole;
let account: LoggedIn;
before(async () => {
  console = await startConsole({ flavour: 'unifi-classic' });
  account = await openSession(console, { remember: true });
});

const hotspot = (body: unknown, headers = {}) => account.site('POST', 'cmd/hotspot', { body, headers });
const order = (fields: object) => ({ cmd: 'create-voucher', n: 1, quota: 1, expire: 60, ...fields });

/** Returns the vouchers of one order, which is the only order of its second. */
async function create(fields: object) {
  console.clock.advance(1000);
  const { status, json } = await hotspot(order(fields));
  assert.equal(status, 200, JSON.stringify(json));
  const [{ create_time }] = json.data;
  return (await account.site('POST', 'stat/voucher', { body: { create_time } })).json.data;
}

function assertRefused({ status, json }: Reply, code: string): void {
  assert.equal(status, 400);
  assert.deepEqual(json, { meta: { rc: 'error', msg: code }, data: [] });
}

test('the response to an order contains its time of creation and nothing else', async () => {
  const { headers, json } = await hotspot(order({ note: 'Zimmer 12' }));
  const create_time = Math.floor(console.clock.nowMs() / 1000);
  assert.deepEqual(json, { meta: { rc: 'ok' }, data: [{ create_time }] });
  assert.equal(headers['content-type'], 'application/json;charset=UTF-8');
});

test('a voucher without limits has no fields for them', async () => {
  const [voucher] = await create({ note: 'plain', quota: 0, up: null, down: null, bytes: null });
  const { _id, code, create_time, site_id, ...rest } = voucher;
  assert.match(_id, /^[0-9a-f]{24}$/);
  assert.match(code, /^\d{10}$/);
  assert.equal(create_time, console.clock.nowMs() / 1000);
  assert.match(site_id, /^[0-9a-f]{24}$/);
  assert.deepEqual(rest, {
    for_hotspot: false,
    admin_name: 'voucher-bot',
    quota: 0,
    duration: 60,
    used: 0,
    qos_overwrite: false,
    note: 'plain',
    status: 'VALID_MULTI',
    status_expires: 0,
  });
});

describe('the contents of an order', () => {
  const readings: [string, object, object][] = [
    ['numbers as text', { expire: '480', up: '2000', down: '9000', bytes: '10' }, { duration: 480 }],
    ['a rate as text becomes a number', { up: '2000' }, { qos_rate_max_up: 2000, qos_overwrite: true }],
    [
      'custom, a number and a unit',
      { expire: 'custom', expire_number: '3', expire_unit: 1440 },
      { duration: 4320 },
    ],
    [
      'a number and a unit alone',
      { expire: undefined, expire_number: 2, expire_unit: 60 },
      { duration: 120 },
    ],
    [
      'a quota as text makes a voucher for any number of uses',
      { quota: '1' },
      { quota: 0, status: 'VALID_MULTI' },
    ],
    ['a voucher for one use', { quota: 1 }, { quota: 1, status: 'VALID_ONE' }],
    [
      'the widest limits',
      { up: 100_000, down: 2, bytes: 1_048_576 },
      { qos_rate_max_down: 2, qos_usage_quota: 1_048_576 },
    ],
    ['unknown keys are ignored', { qos_overwrite: true, whatever: [1] }, { qos_overwrite: false }],
  ];
  for (const [what, fields, expected] of readings)
    test(what, async () => {
      const [voucher] = await create(fields);
      assert.deepEqual({ ...voucher, ...expected }, voucher);
    });

  test('the vouchers of one order share their time of creation and have different codes', async () => {
    const vouchers = await create({ n: 500, note: 'batch' });
    assert.equal(vouchers.length, 500);
    const codes: string[] = vouchers.map(({ code }: { code: string }) => code);
    assert.equal(new Set(codes).size, 500);
    assert.ok(
      codes.some((code) => code.startsWith('0')),
      'no code has a leading zero',
    );
  });

  const refusals: [string, object][] = [
    ['a duration that is not a number', { expire: 'tomorrow' }],
    ['a missing duration', { expire: null }],
    ['a duration of 0', { expire: 0 }],
    ['a duration above the bound', { expire: 1_000_001 }],
    ['a custom duration without a number', { expire: 'custom' }],
    ['an upload rate of 0', { up: 0 }],
    ['a download rate of 0', { down: 0 }],
    ['a data limit of 0', { bytes: 0 }],
    ['a rate above the bound', { down: 100_001 }],
    ['a count of 0', { n: 0 }],
    ['a count above the bound', { n: 10_001 }],
    ['a negative number of uses', { quota: -1 }],
  ];
  for (const [what, fields] of refusals)
    test(`${what} is refused and creates no voucher`, async () => {
      const before = console.controls.counters().vouchersCreated;
      assertRefused(await hotspot(order(fields)), 'api.err.InvalidArgs');
      assert.equal(console.controls.counters().vouchersCreated, before);
    });
});

test('very old clients may send a form that contains JSON', async () => {
  const before = console.controls.counters().vouchersCreated;
  const form = `json=${encodeURIComponent(JSON.stringify(order({ note: 'ä & b' })))}`;
  const { status } = await hotspot(form, { 'content-type': 'application/x-www-form-urlencoded' });
  assert.equal(status, 200);
  assert.equal(console.controls.counters().vouchersCreated, before + 1);
  assert.ok(console.controls.vouchers().some(({ note }) => note === 'ä & b'));
});

test('GET and an empty POST list all vouchers; create_time in query or body selects one batch', async () => {
  const [mine] = await create({ note: 'findable' });
  const query = await account.site('GET', `stat/voucher?create_time=${mine.create_time}`);
  assert.deepEqual(query.json.data, [mine]);
  const all = await account.site('GET', 'stat/voucher');
  assert.deepEqual(all.json, (await account.site('POST', 'stat/voucher', { body: {} })).json);
  assert.equal(all.json.data.length, console.controls.counters().vouchers);
  const never = await account.site('POST', 'stat/voucher', { body: { create_time: 1 } });
  assert.deepEqual(never.json.data, []);
});

test('deleting succeeds even if no voucher matches, and takes the id, not the code', async () => {
  const [voucher] = await create({ note: 'short-lived' });
  const before = console.controls.counters().vouchers;
  for (const _id of [voucher.code, '66f1a0c2d3b4e50017a9c001', undefined])
    assert.deepEqual((await hotspot({ cmd: 'delete-voucher', _id })).json, { meta: { rc: 'ok' }, data: [] });
  assert.equal(console.controls.counters().vouchers, before);
  await hotspot({ cmd: 'delete-voucher', _id: voucher._id });
  assert.equal(console.controls.counters().vouchers, before - 1);
});

test('each site has its own vouchers', async () => {
  const [voucher] = await create({ note: 'here' });
  const there = (path: string, body: object) => account.call('POST', `/api/s/k3w9x2pb/${path}`, { body });
  assert.deepEqual((await there('stat/voucher', {})).json.data, []);
  await there('cmd/hotspot', { cmd: 'delete-voucher', _id: voucher._id });
  assert.ok(console.controls.vouchers('default').some(({ id }) => id === voucher._id));
});

test('a wrong site, a wrong body, a wrong command and a wrong path get different errors', async () => {
  const nowhere = await account.call('GET', '/api/s/nowhere/stat/voucher');
  assert.deepEqual([nowhere.status, nowhere.json.meta.msg], [401, 'api.err.NoSiteContext']);
  assert.equal((await account.call('GET', '/api/s')).json.meta.msg, 'api.err.NoSiteContext');
  assertRefused(await hotspot('{"cmd":'), 'api.err.InvalidPayload');
  assertRefused(await hotspot({ cmd: 'make-coffee' }), 'api.err.InvalidArgs');
  assertRefused(await account.site('GET', 'stat/coffee'), 'api.err.InvalidObject');
});

test('the system information and the current account can be read', async () => {
  const [system] = (await account.site('GET', 'stat/sysinfo')).json.data;
  assert.equal(system.version, '10.5.66');
  for (const name of ['build', 'hostname', 'timezone']) assert.equal(typeof system[name], 'string', name);
  assert.equal((await account.site('GET', 'self')).json.data[0].site_role, 'admin');
  const [first, second] = (await account.call('GET', '/api/self/sites')).json.data;
  assert.deepEqual(
    [first.name, first.desc, first.attr_no_delete, first.role],
    ['default', 'Default', true, 'admin'],
  );
  assert.equal(second.name.length, 8);
  assert.ok(!('role_hotspot' in first));
});

test('the legacy switch puts data first in the envelope', async () => {
  console.controls.switches.legacyEnvelope = true;
  const { text, json } = await account.call('GET', '/api/s/default/stat/sysinfo');
  console.controls.switches.legacyEnvelope = false;
  assert.ok(text.startsWith('{ "data" : ['));
  assert.equal(json.data[0].version, '9.4.19');
});
