// Tests that pairing codes sent at the same time are limited, too, and that a flood keeps nobody from pairing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeNetworkFloods } from '../../platform/network/network-floods.ts';
import { MAX_PAIRINGS, makePairScreen } from './pair-screen.ts';
import { readPairingCode } from './pairing-code.ts';

test('of many codes that one network sends at once, few are looked up', async () => {
  const clock = { nowMs: () => 0 };
  let lookedUp = 0;
  const open = new Set<string>();
  const pairScreen = makePairScreen({
    screens: {
      pair: async () => {
        lookedUp++;
        return undefined;
      },
      listPairingHashes: async () => open,
    },
    floods: makeNetworkFloods({ clock, max: MAX_PAIRINGS, onFlood: () => {} }),
    clock,
  });
  const send = (ip: string) => pairScreen('ACDE-FGHJ', { ip, agent: '' });
  const pairings = await Promise.all(Array.from({ length: 1_000 }, () => send('192.0.2.1')));
  assert.equal(lookedUp, MAX_PAIRINGS);
  assert.equal(pairings.filter(({ result }) => result === 'flood').length, 1_000 - MAX_PAIRINGS);
  assert.deepEqual(await send('192.0.2.2'), { result: 'wrong' });

  const right = readPairingCode('ACDE-FGHJ');
  assert.ok(right);
  open.add(right);
  await send('192.0.2.1');
  assert.equal(lookedUp, MAX_PAIRINGS + 2, 'a code that can be used is looked up in a flooding network, too');
});
