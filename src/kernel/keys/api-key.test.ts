// Tests the format of API keys, which texts are accepted as keys, and which scopes and sites a key includes.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { asSiteId } from '../ids.ts';
import { hashKeyText, includesScope, includesSite, keyIdOf, makeKeyText, toMovedInId } from './api-key.ts';

/** A key without its checksum. Another implementation of CRC-32 and base62 computed the checksum used below. */
const KNOWN_KEY = `gpk_${'0'.repeat(40)}`;

test('a key is gpk_, 8 characters of id, 32 of secret and 6 of checksum, 50 in total', () => {
  const { id, keyText } = makeKeyText();
  assert.match(keyText, /^gpk_[0-9A-Za-z]{46}$/);
  assert.equal(keyText.length, 50);
  assert.equal(keyText.slice(4, 12), id);
});

test('every generated key is accepted as a key and contains its id', () => {
  for (let index = 0; index < 200; index++) {
    const { id, keyText } = makeKeyText();
    assert.equal(keyIdOf(keyText), id);
  }
});

test('keys do not repeat', () => {
  const made = Array.from({ length: 200 }, makeKeyText);
  assert.equal(new Set(made.map(({ id }) => id)).size, 200);
  assert.equal(new Set(made.map(({ keyText }) => keyText.slice(12, 44))).size, 200);
});

test('the checksum is the CRC-32 of the text before it, in six base62 digits', () => {
  assert.equal(keyIdOf(`${KNOWN_KEY}1zOxFt`), '00000000');
});

test('a wrong character at any position is detected without a query', () => {
  const { keyText } = makeKeyText();
  for (let place = 0; place < keyText.length; place++) {
    const other = keyText[place] === 'a' ? 'b' : 'a';
    assert.equal(
      keyIdOf(keyText.slice(0, place) + other + keyText.slice(place + 1)),
      undefined,
      `place ${place}`,
    );
  }
});

test('two swapped neighbouring characters are detected', () => {
  const { keyText } = makeKeyText();
  for (let place = 4; place < keyText.length - 1; place++) {
    const [one, two] = [keyText[place], keyText[place + 1]];
    if (one === two) continue;
    assert.equal(keyIdOf(`${keyText.slice(0, place)}${two}${one}${keyText.slice(place + 2)}`), undefined);
  }
});

test('texts in another format are not keys', () => {
  const { keyText } = makeKeyText();
  const others = [
    '',
    'gpk_',
    keyText.slice(1),
    keyText.slice(0, -1),
    `${keyText}0`,
    ` ${keyText}`,
    `${keyText}\n`,
  ];
  for (const text of [...others, keyText.toUpperCase(), 'x'.repeat(100_000)])
    assert.equal(keyIdOf(text), undefined, text.slice(0, 60));
});

test('the hash of a key is its SHA-256', () => {
  const { keyText } = makeKeyText();
  assert.deepEqual(hashKeyText(keyText), createHash('sha256').update(keyText).digest());
});

test('write includes read, but read does not include write', () => {
  assert.equal(includesScope('write', 'write'), true);
  assert.equal(includesScope('write', 'read'), true);
  assert.equal(includesScope('read', 'read'), true);
  assert.equal(includesScope('read', 'write'), false);
});

test('a key for all sites includes every site, a key for chosen sites only these, and an empty list none', () => {
  const [one, other] = [asSiteId(1), asSiteId(2)];
  assert.deepEqual([includesSite('all', one), includesSite('all', other)], [true, true]);
  assert.deepEqual([includesSite([one], one), includesSite([one], other)], [true, false]);
  assert.equal(includesSite([], one), false);
});

test('a key that was moved in is uvt_ and 40 hexadecimal digits; its id is the part before the secret', () => {
  const keyText = `uvt_37ff401e${'0123456789abcdef'.repeat(2)}`;
  assert.equal(keyIdOf(keyText), 'uvt_37ff401e');
  assert.equal(toMovedInId('37ff401e'), 'uvt_37ff401e');
  for (const other of [
    keyText.toUpperCase(),
    keyText.slice(1),
    keyText.slice(0, -1),
    `${keyText}0`,
    `${keyText}\n`,
  ])
    assert.equal(keyIdOf(other), undefined, other);
  for (const prefix of ['', '37FF401E', '37ff401', '37ff401e0', '../../x'])
    assert.equal(toMovedInId(prefix), undefined);
});
