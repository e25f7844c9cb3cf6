// Tests which addresses belong to another machine.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeIsOtherMachine } from './other-machine.ts';

const own = ['127.0.0.1/8', '::1/128', '192.168.1.5/24', 'fe80::5/64', '2001:db8::5/64'];

test('this machine is recognised by any of its addresses, however they are written', () => {
  const isOther = makeIsOtherMachine({ own, isContainer: false });
  for (const ip of ['127.0.0.1', '127.8.8.8', '::1', '192.168.1.5', '::ffff:192.168.1.5', '2001:db8::5'])
    assert.equal(isOther(ip), false, ip);
  for (const ip of ['192.168.1.6', '::ffff:192.168.1.6', '10.0.0.1', '2001:db8::6', 'fe80::6'])
    assert.equal(isOther(ip), true, ip);
});

test('in a container, the whole own network counts as this machine', () => {
  const isOther = makeIsOtherMachine({ own: ['172.18.0.3/16'], isContainer: true });
  assert.deepEqual(['172.18.0.2', '172.18.0.1', '192.168.1.1'].map(isOther), [false, false, true]);
});
