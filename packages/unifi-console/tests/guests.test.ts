// Guests: the control API redeems a voucher, its time starts, and both APIs show it. All of them share one clock and
// one store.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import type { StoredVoucher } from '../src/voucher-store.ts';
import { type TestConsole, useConsoles } from './support/test-console.ts';

const startConsole = useConsoles();

const MINUTE_MS = 60_000;

let console: TestConsole;
before(async () => {
  console = await startConsole();
});

const classic = (method: string, path: string, body?: unknown) =>
  console.byKey(method, `/proxy/network/api/s/default/${path}`, body === undefined ? {} : { body });
const vouchersPath = () => `/sites/${console.siteUuid}/hotspot/vouchers`;

function fill(filling: { quota?: number; durationMinutes?: number; note?: string; downKbps?: number }) {
  const [voucher] = console.controls.fill(filling);
  assert.ok(voucher);
  return voucher;
}

async function inBoth({ id, uuid }: StoredVoucher) {
  const all = (await classic('GET', 'stat/voucher')).json.data;
  return {
    classic: all.find((each: { _id: string }) => each._id === id),
    official: (await console.integration('GET', `${vouchersPath()}/${uuid}`)).json,
  };
}

describe('redeeming a voucher', () => {
  test('starts its time, and an unused voucher never expires', async () => {
    const voucher = fill({ quota: 1, durationMinutes: 30 });
    console.clock.advance(1000 * MINUTE_MS);
    const unused = await inBoth(voucher);
    assert.equal(unused.official.expired, false);
    assert.ok(!('expiresAt' in unused.official) && !('end_time' in unused.classic));

    const now = new Date(console.clock.nowMs());
    assert.ok(console.controls.redeem({ code: voucher.code }).ok);
    const used = await inBoth(voucher);
    const startS = now.getTime() / 1000;
    assert.equal(used.classic.used, 1);
    assert.equal(used.classic.start_time, startS);
    assert.equal(used.classic.end_time, startS + 30 * 60);
    assert.equal(used.classic.status_expires, 30 * 60);
    assert.equal(used.official.authorizedGuestCount, 1);
    assert.equal(used.official.activatedAt, now.toISOString().replace('.000', ''));
    assert.equal(Date.parse(used.official.expiresAt), now.getTime() + 30 * MINUTE_MS);
  });

  test('lets later guests stay until the end of the first guest', async () => {
    const voucher = fill({ quota: 5, durationMinutes: 60 });
    assert.ok(console.controls.redeem({ code: voucher.code }).ok);
    const { end_time } = (await inBoth(voucher)).classic;
    console.clock.advance(20 * MINUTE_MS);
    const second = console.controls.redeem({ code: voucher.code, devices: 2 });
    assert.ok(second.ok && second.value.letIn.length === 2);
    const { classic: after } = await inBoth(voucher);
    assert.deepEqual([after.used, after.end_time, after.status], [3, end_time, 'USED_MULTIPLE']);
    assert.equal(after.status_expires, 40 * 60);
  });

  test('fails when the time is over; both APIs show the expiry at the same second', async () => {
    const voucher = fill({ quota: 0, durationMinutes: 10 });
    console.controls.redeem({ code: voucher.code });
    console.clock.advance(10 * MINUTE_MS - 1000);
    assert.equal((await inBoth(voucher)).official.expired, false);
    console.clock.advance(1000);
    const { classic: over, official } = await inBoth(voucher);
    assert.deepEqual([over.status, over.status_expires, official.expired], ['EXPIRED', 0, true]);
    assert.deepEqual(console.controls.redeem({ code: voucher.code }), { ok: false, problem: 'expired' });
  });

  test('admits as many devices as the quota allows, and returns how many were turned away', () => {
    const voucher = fill({ quota: 3 });
    const result = console.controls.redeem({ code: voucher.code, devices: 5 });
    assert.ok(result.ok);
    assert.deepEqual([result.value.letIn.length, result.value.turnedAway], [3, 2]);
    assert.deepEqual(console.controls.redeem({ code: voucher.code }), { ok: false, problem: 'used-up' });
  });

  test('accepts the code with a dash, and refuses an unknown code', () => {
    const { code } = fill({});
    assert.ok(console.controls.redeem({ code: `${code.slice(0, 5)}-${code.slice(5)}` }).ok);
    assert.deepEqual(console.controls.redeem({ code: '12345' }), { ok: false, problem: 'unknown-code' });
  });

  test('removes a single-use voucher from the lists if the switch is on; its guest stays on record', async () => {
    const voucher = fill({ quota: 1, note: 'once' });
    const other = fill({ quota: 2 });
    console.controls.switches.singleUseDisappears = true;
    console.controls.redeem({ code: voucher.code });
    console.controls.redeem({ code: other.code, devices: 2 });
    console.controls.switches.singleUseDisappears = false;
    const { classic: listed, official } = await inBoth(voucher);
    assert.deepEqual([listed, official.statusCode], [undefined, 404]);
    assert.equal((await inBoth(other)).classic.used, 2);
    const guests = (await classic('GET', 'stat/guest')).json.data;
    assert.ok(guests.some((guest: { voucher_id: string }) => guest.voucher_id === voucher.id));
  });
});

describe('recorded guests', () => {
  let voucher: StoredVoucher;
  let mac: string;
  beforeEach(() => {
    console.clock.advance(1000 * MINUTE_MS);
    voucher = fill({ quota: 2, durationMinutes: 60, downKbps: 5000 });
    const result = console.controls.redeem({ code: voucher.code });
    assert.ok(result.ok);
    mac = result.value.letIn[0] ?? '';
  });
  async function guest() {
    const { json } = await classic('POST', 'stat/guest', { within: 8760 });
    return json.data.find((each: { mac: string }) => each.mac === mac);
  }

  test('show their voucher, since when and until when', async () => {
    console.clock.advance(10 * MINUTE_MS);
    const { voucher_id, voucher_code, authorized_by, start, end, expired, duration, ...rest } = await guest();
    assert.deepEqual([voucher_id, voucher_code, authorized_by], [voucher.id, voucher.code, 'voucher']);
    assert.deepEqual([end - start, expired, duration], [3600, false, 600]);
    assert.equal(rest.bytes, rest.tx_bytes + rest.rx_bytes);
    assert.equal(rest.qos_rate_max_down, 5000);
  });

  test('can be filtered by hours', async () => {
    const inLast = async (hours: number) =>
      (await classic('GET', `stat/guest?within=${hours}`)).json.data.filter(
        (each: { mac: string }) => each.mac === mac,
      ).length;
    console.clock.advance(90 * MINUTE_MS);
    assert.deepEqual([await inLast(1), await inLast(2)], [0, 1]);
  });

  test('stay a day longer after extend and are ended by terminate', async () => {
    const { _id, end } = await guest();
    assert.equal((await classic('POST', 'cmd/hotspot', { cmd: 'extend', _id })).json.meta.rc, 'ok');
    assert.equal((await guest()).end, end + 24 * 60 * 60);
    assert.equal((await classic('POST', 'cmd/hotspot', { cmd: 'terminate', _id })).json.meta.rc, 'ok');
    assert.equal((await guest()).expired, true);
    const unknown = await classic('POST', 'cmd/hotspot', { cmd: 'extend', _id: 'nobody' });
    assert.deepEqual([unknown.status, unknown.json.meta.msg], [400, 'api.err.InvalidArgs']);
  });

  test('are ended by unauthorize-guest, which knows only devices that were seen', async () => {
    await classic('POST', 'cmd/stamgr', { cmd: 'unauthorize-guest', mac });
    assert.equal((await guest()).expired, true);
    const stranger = 'aa:bb:cc:dd:ee:ff';
    const { status, json } = await classic('POST', 'cmd/stamgr', { cmd: 'unauthorize-guest', mac: stranger });
    assert.equal(status, 400);
    assert.deepEqual(json.meta, { rc: 'error', msg: 'api.err.UnknownStation', mac: stranger });
  });

  test('are added by authorize-guest, with limits', async () => {
    mac = '02:aa:bb:cc:dd:01';
    const order = { cmd: 'authorize-guest', mac, minutes: 30, down: 1000 };
    const [granted] = (await classic('POST', 'cmd/stamgr', order)).json.data;
    assert.deepEqual([granted.mac, granted.authorized_by, granted.end - granted.start], [mac, 'api', 1800]);
    assert.equal(granted.qos_rate_max_down, 1000);
    assert.ok(!('voucher_id' in (await guest())));
    const wrong = await classic('POST', 'cmd/stamgr', { cmd: 'authorize-guest', mac: 'none', minutes: 30 });
    assert.equal(wrong.json.meta.msg, 'api.err.InvalidArgs');
  });
});
