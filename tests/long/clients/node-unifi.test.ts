// An unmodified third-party client, node-unifi, works with both flavours of the simulated controller.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  FLAVOURS,
  type SimulatedConsole,
  startSimulatedConsole,
} from '../../../packages/unifi-console/src/index.ts';
import { makeNodeUnifi, type NodeUnifi } from './node-unifi.ts';

for (const flavour of FLAVOURS)
  describe(`node-unifi on ${flavour}`, () => {
    let simulator: SimulatedConsole;
    let client: NodeUnifi;
    before(async () => {
      simulator = await startSimulatedConsole({ flavour });
      client = makeNodeUnifi(simulator);
      await client.login();
    });
    after(() => simulator.stop());

    test('logs in once and lists the sites', async () => {
      const sites = await client.getSites();
      assert.deepEqual(
        sites.map(({ name, desc }) => [name, desc]),
        [
          ['default', 'Default'],
          ['k3w9x2pb', 'Haus B'],
        ],
      );
      assert.equal(simulator.controls.counters().logins, 1);
    });

    test('creates vouchers with limits and finds them by their time of creation', async () => {
      const [created] = await client.createVouchers(1440, 3, 2, 'Front desk', 2000, 10_000, 2048);
      assert.ok(created);
      const batch = await client.getVouchers(created.create_time);
      assert.equal(batch.length, 3);
      assert.equal(new Set(batch.map(({ code }) => code)).size, 3);
      for (const voucher of batch) {
        assert.match(voucher.code, /^\d{10}$/);
        assert.match(voucher._id, /^[0-9a-f]{24}$/);
        assert.equal(voucher.note, 'Front desk');
        assert.equal(voucher.quota, 2);
        assert.equal(voucher.duration, 1440);
        assert.equal(voucher.qos_rate_max_up, 2000);
        assert.equal(voucher.qos_rate_max_down, 10_000);
        assert.equal(voucher.qos_usage_quota, 2048);
        assert.equal(voucher.status, 'VALID_MULTI');
      }
      assert.deepEqual(await client.getVouchers(created.create_time - 1000), []);
    });

    test('lists all vouchers of its site and revokes one of them', async () => {
      await client.createVouchers(60, 2, 1, 'to be revoked');
      const mine = (await client.getVouchers()).filter(({ note }) => note === 'to be revoked');
      const [first, second] = mine;
      assert.ok(first && second);
      assert.equal(first.status, 'VALID_ONE');
      assert.deepEqual(await client.revokeVoucher(first._id), []);
      const left = (await client.getVouchers()).filter(({ note }) => note === 'to be revoked');
      assert.deepEqual(
        left.map(({ _id }) => _id),
        [second._id],
      );
      const elsewhere = makeNodeUnifi(simulator, 'k3w9x2pb');
      await elsewhere.login();
      assert.deepEqual(await elsewhere.getVouchers(), []);
    });

    test('shows the guest of a voucher, and extends, grants and ends the access of guests', async () => {
      const [voucher] = simulator.controls.fill({ quota: 2 });
      assert.ok(voucher);
      assert.ok(simulator.controls.redeem({ code: voucher.code }).ok);
      const [guest] = await client.getGuests();
      assert.ok(guest);
      assert.equal(guest.voucher_id, voucher.id);
      await client.extendGuestValidity(guest._id);
      const [longer] = await client.getGuests();
      assert.equal(longer?.end, guest.end + 24 * 60 * 60);

      const [allowed] = await client.authorizeGuest('AA:BB:CC:00:11:22', 30);
      assert.equal(allowed?.mac, 'aa:bb:cc:00:11:22');
      assert.equal(allowed?.authorized_by, 'api');
      assert.deepEqual(await client.unauthorizeGuest('AA:BB:CC:00:11:22'), []);
    });

    test('a wrong password is refused', async () => {
      const stranger = makeNodeUnifi({ ...simulator, password: 'wrong' });
      const status = flavour === 'unifi-os' ? 403 : 400;
      await assert.rejects(stranger.login(), new RegExp(`status code ${status}`));
      assert.equal(simulator.controls.counters().loginsRefused, 1);
    });

    test('a call after logout is refused', async () => {
      await client.logout();
      await assert.rejects(client.getVouchers(), /status code 401/);
    });
  });
