// Tests which networks count as flooding with wrong API keys, and that valid keys are recognised without a look-up
// each.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { MAX_WRONG } from '../../platform/network/network-floods.ts';
import type { KeyId } from '../ids.ts';
import { hashKeyText, makeKeyText } from './api-key.ts';
import { type FloodGuard, makeFloodGuard } from './flood-guard.ts';

const MINUTE_MS = 60_000;
const IP = '192.0.2.7';

let nowMs: number;
let valid: Map<KeyId, Buffer> | undefined;
let readings: number;
let floods: string[];
let guard: FloodGuard;

beforeEach(() => {
  nowMs = 1_768_476_531_000;
  valid = new Map();
  readings = 0;
  floods = [];
  guard = makeFloodGuard({
    keys: {
      async listHashes() {
        readings++;
        return valid;
      },
    },
    clock: { nowMs: () => nowMs },
    onFlood: (network) => floods.push(network),
  });
});

function sendWrongKeys(ip: string, count: number): void {
  for (let sent = 0; sent < count; sent++) guard.note(ip);
}

function makeKey() {
  const { id, keyText } = makeKeyText();
  return { id, hash: hashKeyText(keyText) };
}

test('a network floods from its 60th wrong key on until the minute is over, and is reported once a minute', () => {
  sendWrongKeys(IP, MAX_WRONG - 1);
  assert.deepEqual([guard.isFlooding(IP), floods], [false, []]);
  sendWrongKeys(IP, 1_000);
  assert.deepEqual([guard.isFlooding(IP), floods], [true, [IP]]);
  nowMs += MINUTE_MS - 1;
  assert.equal(guard.isFlooding(IP), true);
  nowMs += 1;
  assert.equal(guard.isFlooding(IP), false);
  sendWrongKeys(IP, MAX_WRONG);
  assert.deepEqual([guard.isFlooding(IP), floods], [true, [IP, IP]]);
});

test('an IPv4 address and an IPv6 network of 64 bits count by themselves', () => {
  for (let host = 1; host <= MAX_WRONG; host++) guard.note(`2001:db8::${host.toString(16)}`);
  assert.deepEqual(floods, ['2001:db8::/64']);
  assert.equal(guard.isFlooding('2001:db8::ffff'), true);
  assert.equal(guard.isFlooding('2001:db8:0:1::1'), false);
  sendWrongKeys(IP, MAX_WRONG);
  assert.equal(guard.isFlooding('192.0.2.8'), false);
});

test('after the clock was set back, a network is not held for longer than a minute', () => {
  sendWrongKeys(IP, MAX_WRONG);
  nowMs -= 10 * MINUTE_MS;
  assert.equal(guard.isFlooding(IP), false);
});

test('the memory is bounded: beyond 10,000 networks every further network counts as flooding, for a minute', () => {
  for (let count = 0; count < 10_000; count++) guard.note(`10.0.${count >> 8}.${count & 255}`);
  assert.equal(guard.isFlooding('10.0.0.1'), false);
  assert.equal(guard.isFlooding(IP), true);
  sendWrongKeys(IP, 5);
  assert.deepEqual(floods, ['more than 10000 networks']);
  nowMs += MINUTE_MS;
  assert.equal(guard.isFlooding(IP), false);
});

test('a valid key is recognised, a key with a valid id and another secret is not', async () => {
  const [key, other] = [makeKey(), makeKey()];
  valid?.set(key.id, key.hash);
  assert.equal(await guard.allowsLookUp(key), true);
  assert.equal(await guard.allowsLookUp(other), false);
  assert.equal(await guard.allowsLookUp({ id: key.id, hash: other.hash }), false);
});

test('the hashes are read at most once a second, however many keys arrive', async () => {
  const key = makeKey();
  await Promise.all(Array.from({ length: 1_000 }, () => guard.allowsLookUp(makeKey())));
  nowMs += 999;
  valid = new Map([[key.id, key.hash]]);
  assert.equal(await guard.allowsLookUp(key), false);
  assert.equal(readings, 1);
  nowMs += 1;
  assert.equal(await guard.allowsLookUp(key), true);
  assert.equal(readings, 2);
});

test('with more keys than fit into memory, every key may be looked up', async () => {
  valid = undefined;
  assert.equal(await guard.allowsLookUp(makeKey()), true);
});

test('if the hashes cannot be read, the request fails and the next request reads again', async () => {
  const key = makeKey();
  let fails = true;
  const broken = makeFloodGuard({
    keys: {
      async listHashes() {
        if (fails) throw new Error('database away');
        return new Map([[key.id, key.hash]]);
      },
    },
    clock: { nowMs: () => nowMs },
    onFlood: () => {},
  });
  await assert.rejects(broken.allowsLookUp(key), /database away/);
  fails = false;
  assert.equal(await broken.allowsLookUp(key), true);
});
