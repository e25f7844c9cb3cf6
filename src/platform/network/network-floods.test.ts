// Tests what happens beyond the number of networks that are counted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeNetworkFloods } from './network-floods.ts';

const NETWORKS = 10_000;

function crowded(more: { admitsCrowd?: true }) {
  const floods: string[] = [];
  const counted = makeNetworkFloods({
    clock: { nowMs: () => 0 },
    max: 2,
    ...more,
    onFlood: (network) => floods.push(network),
  });
  for (let index = 0; index < NETWORKS; index++)
    counted.note(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
  return { ...counted, floods };
}

test('beyond 10,000 networks, each further network floods, which is reported once', () => {
  const { isFlooding, floods } = crowded({});
  assert.ok(isFlooding('192.0.2.1') && isFlooding('192.0.2.2'));
  assert.equal(isFlooding('10.0.0.1'), false, 'a network that is counted');
  assert.deepEqual(floods, ['more than 10000 networks']);
});

test('a crowd that is admitted never floods, and a counted network still does', () => {
  const { isFlooding, note } = crowded({ admitsCrowd: true });
  for (let count = 0; count < 3; count++) note('192.0.2.1');
  assert.equal(isFlooding('192.0.2.1'), false);
  note('10.0.0.1');
  assert.ok(isFlooding('10.0.0.1'));
});
