// Tests which IP addresses count as one network.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf, shortenIp } from './ip.ts';

test('an IPv4 address counts by itself, and all IP addresses of an IPv6 network count as one', () => {
  for (const [ip, network] of [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8::/64'],
    ['fe80::1', 'fe80::/64'],
    ['fe80::1%br-lan', 'fe80::/64'],
    ['::1', '::/64'],
    ['2001:db8:1:3::9', '2001:db8:1:3::/64'],
  ])
    assert.equal(networkOf(ip ?? '', 64), network);
  assert.equal(networkOf('2001:db8:1:2::9', 48), '2001:db8:1::/48');
});

test('a shortened IP address names the network only, and stays as it is when shortened again', () => {
  const cases = {
    '203.0.113.77': '203.0.113.0/24',
    '::ffff:203.0.113.77': '203.0.113.0/24',
    '2001:db8:1:2::77': '2001:db8:1::/48',
    '203.0.113.0/24': '203.0.113.0/24',
    unknown: 'unknown',
  };
  for (const [ip, expected] of Object.entries(cases)) assert.equal(shortenIp(ip), expected);
});
