// Tests what may be printed on a slip: Wi-Fi names and passwords that devices accept, and a text that fits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issueOfSlipText, issueOfSteps, issueOfWifiName, issueOfWifiPassword } from './slip.ts';

test('a Wi-Fi name has at most 32 bytes, whatever its characters', () => {
  for (const name of ['', 'x'.repeat(32), 'ä'.repeat(16), '東'.repeat(10), '😀'.repeat(8), ' a;"\\ '])
    assert.equal(issueOfWifiName(name), undefined, name);
  for (const name of ['x'.repeat(33), 'ä'.repeat(17), '😀'.repeat(9)])
    assert.equal(issueOfWifiName(name), 'too-long', name);
  for (const name of ['a\nb', 'a\u0000', 'a\u202eb', 'a\u200bb', '\ud800'])
    assert.equal(issueOfWifiName(name), 'invisible');
});

test('a WPA password has 8 to 63 characters, or is a key of 64 hexadecimal digits', () => {
  for (const password of ['x'.repeat(8), 'ü'.repeat(63), ';,:"\\ abc', 'aF'.repeat(32)])
    assert.equal(issueOfWifiPassword(password), undefined, password);
  for (const password of ['x'.repeat(7), 'x'.repeat(64), 'a0'.repeat(33)])
    assert.equal(issueOfWifiPassword(password), 'no-password', password);
  assert.equal(issueOfWifiPassword('acht\tvier'), 'invisible');
});

test('a text has at most 300 characters and 8 lines', () => {
  assert.equal(issueOfSlipText('Guten Tag\n\nFrühstück ab 7'), undefined);
  assert.equal(issueOfSlipText('😀'.repeat(300)), undefined);
  assert.equal(issueOfSlipText('x'.repeat(301)), 'too-long');
  assert.equal(issueOfSlipText('1\n2\n3\n4\n5\n6\n7\n8'), undefined);
  assert.equal(issueOfSlipText('1\n2\n3\n4\n5\n6\n7\n8\n9'), 'too-many-lines');
  assert.equal(issueOfSlipText('a\u2028b'), 'invisible');
});

test('there are at most five steps, and they name a Wi-Fi only if there is one', () => {
  assert.equal(issueOfSteps('', ''), undefined);
  assert.equal(issueOfSteps('Mit „{wifi}“ verbinden\n2\n3\n4\n5', 'Gäste'), undefined);
  assert.equal(issueOfSteps('Mit „{wifi}“ verbinden', ''), 'no-wifi-name');
  assert.equal(issueOfSteps('1\n2\n3\n4\n5\n6', 'Gäste'), 'too-many-lines');
  assert.equal(issueOfSteps('x'.repeat(301), 'Gäste'), 'too-long');
  assert.equal(issueOfSteps('a\u200bb', 'Gäste'), 'invisible');
});
