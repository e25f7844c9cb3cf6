// Tests the boundaries of the forbidden IP ranges. Other notations and host names are tested in tests/webhooks.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findIpIssue } from './ip-rules.ts';

const NEVER = 'is a link-local, metadata or reserved address, which is never called';
const NOT_PUBLIC = 'is not a public address (WEBHOOK_TARGETS=public)';

const edges: [before: string, first: string, last: string, after: string][] = [
  ['169.253.255.255', '169.254.0.0', '169.254.255.255', '169.255.0.0'],
  ['100.100.100.199', '100.100.100.200', '100.100.100.200', '100.100.100.201'],
  ['168.63.129.15', '168.63.129.16', '168.63.129.16', '168.63.129.17'],
  ['192.0.0.191', '192.0.0.192', '192.0.0.192', '192.0.0.193'],
  ['223.255.255.255', '224.0.0.0', '255.255.255.255', '1.0.0.0'],
  ['fe7f:ffff::', 'fe80::', 'febf:ffff::', 'fec0::'],
  ['feff::', 'ff00::', 'ffff:ffff::', 'fe00::'],
  ['fd00:ec1:ffff::', 'fd00:ec2::', 'fd00:ec2:ffff::', 'fd00:ec3::'],
  ['fd20:ce::253', 'fd20:ce::254', 'fd20:ce::254', 'fd20:ce::255'],
  ['fd00:42::41', 'fd00:42::42', 'fd00:42::42', 'fd00:42::43'],
];

describe('IP addresses that are never called', () => {
  for (const [before, first, last, after] of edges)
    test(`${first} to ${last}, but not the IP addresses next to the range`, () => {
      for (const rule of ['any', 'public'] as const)
        for (const address of [first, last]) assert.equal(findIpIssue(address, rule), NEVER);
      for (const address of [before, after]) assert.equal(findIpIssue(address, 'any'), undefined, address);
    });

  test('an IPv4 address within a local NAT64 prefix, at every prefix length', () => {
    const carrying = [
      '64:ff9b:1:a9fe:a9:fe00::',
      '64:ff9b:1:a9:fe:a9fe::',
      '64:ff9b:1:0:a9:fea9:fe00:0',
      '64:ff9b:1::a9fe:a9fe',
    ];
    for (const address of carrying) assert.equal(findIpIssue(address, 'any'), NEVER, address);
  });

  test('the zone of an IP address is ignored', () => {
    assert.equal(findIpIssue('fe80::1%eth0', 'any'), NEVER);
    assert.equal(findIpIssue('::1%lo', 'any'), undefined);
    assert.equal(findIpIssue('::1%lo', 'public'), NOT_PUBLIC);
  });

  test('texts that are not IP addresses', () => {
    for (const text of [
      '',
      'localhost',
      '1.2.3',
      '1.2.3.4.5',
      '::g',
      '[::1]',
      '%eth0',
      '0x7f.0.0.1',
      ' 1.1.1.1',
    ])
      assert.equal(findIpIssue(text, 'any'), 'is no address', text);
  });
});
