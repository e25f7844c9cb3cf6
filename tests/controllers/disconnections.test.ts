// Tests over real HTTP how the classic driver disconnects the devices of a voucher: it reports as disconnected only
// what the console confirms, and no failure quotes the MAC address of a device.

import assert from 'node:assert/strict';
import { after, afterEach, describe, test } from 'node:test';
import { type Fault, FLAVOURS, startSimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import { connect, pinnedSite } from './support/pinned-site.ts';

const soon = () => AbortSignal.timeout(15_000);

/** Responses to one command. None of them confirms that the device was disconnected. */
const FAULTS: Fault[] = [
  { kind: 'html', written: false },
  { kind: 'status', status: 400 },
  { kind: 'status', status: 404, body: 'html' },
  { kind: 'status', status: 503, body: 'html' },
  { kind: 'empty', written: false },
  { kind: 'wrong-json', written: false, text: '{"data":[]}' },
  { kind: 'no-permission' },
  { kind: 'redirect' },
  { kind: 'cut-before-write' },
  { kind: 'cut-after-write' },
];

for (const flavour of FLAVOURS)
  describe(`unifi-classic on ${flavour}`, async () => {
    const console = await startSimulatedConsole({ flavour, loginsPerMinute: null });
    const { controls } = console;
    const controllers = connect();
    const driver = controllers.controllerOf(pinnedSite(console, 'unifi-classic'));
    after(async () => {
      await controllers.close();
      await console.stop();
    });
    afterEach(() => controls.resetFaults());

    /** A voucher with devices online. */
    function used(devices: number) {
      const [voucher] = controls.fill({ quota: devices, note: 'Tagung' });
      assert.ok(voucher);
      const redeemed = controls.redeem({ code: voucher.code, devices });
      assert.ok(redeemed.ok);
      return { id: voucher.id, macs: redeemed.value.letIn };
    }
    async function disconnect(id: string) {
      assert.ok(driver.disconnectDevices);
      return driver.disconnectDevices({ controllerVoucherId: id, usedForMs: 60_000 }, soon());
    }

    test('the devices of a deleted voucher are disconnected, those of others stay online', async () => {
      const [gone, kept] = [used(3), used(2)];
      assert.ok((await driver.deleteVoucher(gone.id, soon())).ok);
      controls.resetCounters();
      assert.deepEqual(await disconnect(gone.id), { count: 3 });
      assert.deepEqual({ ...controls.counters().requests }, { guests: 1, 'guest-command': 3 });
      assert.deepEqual(await disconnect(gone.id), { count: 0 });
      assert.deepEqual(await disconnect(kept.id), { count: 2 });
    });

    for (const fault of FAULTS)
      test(`${[fault.kind, fault.status ?? ''].join(' ')} at a device is reported, and the others are disconnected`, async () => {
        const { id, macs } = used(3);
        controls.setFault({ match: 'guest-command', ...fault });
        const { count, failure } = await disconnect(id);
        assert.ok(failure, 'the failure is reported');
        assert.ok(count < 3, `${count}`);
        for (const mac of macs) assert.ok(!JSON.stringify(failure).includes(mac), failure.text);
      });

    for (const fault of [
      { kind: 'status', status: 500 },
      { kind: 'truncated-json' },
      { kind: 'html' },
    ] as Fault[])
      test(`without the list of devices (${fault.kind}) none is disconnected`, async () => {
        const { id } = used(1);
        controls.setFault({ match: 'guests', times: 'always', ...fault });
        const { count, failure } = await disconnect(id);
        assert.equal(count, 0);
        assert.ok(failure);
      });
  });
