// Tests the form of e-mail addresses: which texts are addresses, and that no look-alike becomes the address of another.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressesMeant, isPlainAddress, toEmailAddress } from './email-address.ts';

test('an address is lower-cased as ASCII, and its domain becomes Punycode', () => {
  for (const [text, address] of [
    ['Karl@Example.ORG', 'karl@example.org'],
    ['admin@localhost', 'admin@localhost'],
    ["o'neil+desk@example.org", "o'neil+desk@example.org"],
    ['karl@münchen.de', 'karl@xn--mnchen-3ya.de'],
    ['karl@straße.de', 'karl@xn--strae-oqa.de'],
    ['karl@XN--MNCHEN-3YA.de', 'karl@xn--mnchen-3ya.de'],
  ] as const)
    assert.equal(toEmailAddress(text), address);
  assert.notEqual(toEmailAddress('karl+a@example.org'), toEmailAddress('karl@example.org'));
  // A Cyrillic letter is another domain, and stays one.
  assert.equal(toEmailAddress('karl@ex\u0430mple.org'), 'karl@xn--exmple-4nf.org');
});

const LOOK_ALIKES = {
  'a Kelvin sign': '\u212Aarl@example.org',
  'a Kelvin sign in the domain': 'karl@loo\u212A.org',
  'a dotless i': 'k\u0131m@example.org',
  'a dotted I': '\u0130da@example.org',
  'a long s': '\u017Fara@example.org',
  'a long s in the domain': 'karl@bu\u017F.org',
  'full-width letters': '\uFF4Barl@example.org',
  'full-width letters in the domain': 'karl@\uFF45xample.org',
  'an ideographic full stop': 'karl@example\u3002org',
  'a soft hyphen': 'ka\u00ADrl@example.org',
  'a soft hyphen in the domain': 'karl@exam\u00ADple.org',
  'a joiner that IDNA ignores': 'karl@exam\u034Fple.org',
  'a combining mark': 'karl\u0301@example.org',
  'an umlaut in two characters': 'karl@mu\u0308nchen.de',
  'a mark of direction': 'karl@example.org\u200F',
  'an override of direction': '\u202Ekarl@example.org',
  'a NUL': 'karl\0@example.org',
  'a NUL at the end': 'karl@example.org\0',
  'a lone surrogate': 'karl\ud800@example.org',
  'a percent code in an international domain': 'karl@m\u00FC%61.de',
  'a path after an international domain': 'karl@m\u00FC/.de',
  'a blank before it': ' karl@example.org',
  'a line break after it': 'karl@example.org\n',
  'a dot at the end': 'karl@example.org.',
  'an IP address': 'karl@127.0.0.1',
  'a short IP address': 'karl@127.1',
  'an address literal': 'karl@[127.0.0.1]',
  'a quoted local part': '"karl"@example.org',
  'a comment': 'karl(x)@example.org',
  'two dots': 'karl..x@example.org',
  'two addresses': 'karl@example.org,x@example.org',
  'two signs': 'karl@x@example.org',
  'no local part': '@example.org',
  'no domain': 'karl@',
  'a local part of 65 characters': `${'k'.repeat(65)}@example.org`,
  '255 characters': `karl@${'example.'.repeat(31)}de`,
};
for (const [what, text] of Object.entries(LOOK_ALIKES))
  test(`an address with ${what} is refused, and does not mean another one`, () => {
    assert.equal(toEmailAddress(text), undefined);
    assert.ok(!isPlainAddress(text));
    if (text.trim() !== text) return;
    for (const meant of addressesMeant(text))
      assert.ok(!['karl@example.org', 'kim@example.org'].includes(meant));
  });

test('what a user types finds accounts of earlier releases, and never an ASCII account by other letters', () => {
  assert.deepEqual(addressesMeant(' Karl@Example.org '), ['karl@example.org']);
  assert.deepEqual(addressesMeant('ÖZGÜR@example.org'), ['özgür@example.org']);
  assert.deepEqual(addressesMeant('karl@MÜNCHEN.de'), ['karl@münchen.de', 'karl@xn--mnchen-3ya.de']);
  assert.deepEqual(addressesMeant('\u212AARL@example.org'), ['\u212Aarl@example.org']);
  assert.deepEqual(addressesMeant('\u0130da@example.org'), ['i\u0307da@example.org']);
});
