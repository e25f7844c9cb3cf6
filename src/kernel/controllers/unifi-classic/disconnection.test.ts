// Tests which devices are disconnected, and that a failure is reported without the MAC address of a device.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ControllerFailure } from '../controller.ts';
import { refused } from '../upstream/failures.ts';
import { makeClassicDisconnection } from './disconnection.ts';

const VOUCHER = '66f1a0c2d3b4e50017a9c002';
const OTHER = '66f1a0c2d3b4e50017a9c003';
const macOf = (device: number) => `02:00:5E:10:00:0${device}`;
const guest = (device: number, fields: object = {}) => ({
  mac: macOf(device),
  voucher_id: VOUCHER,
  start: 1_762_614_000,
  expired: false,
  ...fields,
});

async function disconnect(
  guests: unknown[],
  outcomeOf: (mac: string) => ControllerFailure | 'unknown' | undefined = () => undefined,
) {
  const sent: string[] = [];
  let hoursRead = 0;
  const { disconnectDevices } = makeClassicDisconnection({
    async readGuests(hours, onChunk) {
      hoursRead = hours;
      for (const one of guests) await onChunk([one]);
      return undefined;
    },
    async sendDisconnection(mac) {
      sent.push(mac);
      return outcomeOf(mac);
    },
  });
  const use = { controllerVoucherId: VOUCHER, usedForMs: 90 * 60_000 };
  const result = await disconnectDevices(use, new AbortController().signal);
  return { result, sent, hoursRead };
}

test('only devices that are online with the voucher are disconnected, each once', async () => {
  const { result, sent, hoursRead } = await disconnect([
    guest(1),
    guest(1, { start: 1_762_600_000 }),
    guest(2, { voucher_id: OTHER }),
    guest(3, { expired: true }),
    guest(4, { voucher_id: undefined, authorized_by: 'api' }),
    guest(5, { mac: 'all' }),
    guest(6, { start: undefined }),
    'not a guest',
    guest(7),
  ]);
  assert.deepEqual(result, { count: 2 });
  assert.deepEqual(sent, [macOf(1).toLowerCase(), macOf(7).toLowerCase()]);
  assert.equal(hoursRead, 3);
});

test('a device that was let in again with another voucher stays online, whichever is listed first', async () => {
  const again = guest(1, { voucher_id: OTHER, start: 1_762_618_000 });
  for (const guests of [
    [guest(1), again],
    [again, guest(1)],
  ])
    assert.deepEqual((await disconnect(guests)).result, { count: 0 });
});

test('a failure does not keep other devices online, and names no device', async () => {
  const { result, sent } = await disconnect([guest(1), guest(2), guest(3)], (mac) =>
    mac === macOf(2).toLowerCase() ? refused('refused', `no such station ${macOf(2)} (400)`) : undefined,
  );
  assert.equal(sent.length, 3);
  assert.deepEqual(result, { count: 2, failure: refused('refused', 'no such station … (400)') });
});

test('a device that the controller does not know is not online', async () => {
  assert.deepEqual((await disconnect([guest(1)], () => 'unknown')).result, { count: 0 });
});
