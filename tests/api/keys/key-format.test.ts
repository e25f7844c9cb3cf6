// The text of an API key: its shape, its checksum, and that a mistyped one costs no look into the database.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/domain/clock.ts';
import { hashKeyText, keyIdOf, makeKeyText } from '../../../src/domain/keys/api-key.ts';
import { makeVerifyKey } from '../../../src/domain/keys/verify-key.ts';
import { forgeKey, idOf, secretOf } from './forge-key.ts';

test('a key is gpk_, 8 characters of id, 32 of secret and 6 of checksum, 50 in all', () => {
  for (let count = 0; count < 500; count++) {
    const { id, keyText } = makeKeyText();
    assert.match(keyText, /^gpk_[0-9A-Za-z]{46}$/);
    assert.equal(keyText.length, 50);
    assert.equal(id, idOf(keyText));
    assert.equal(keyText, forgeKey(id, secretOf(keyText)), 'the checksum is the CRC-32 of all before it');
    assert.equal(keyIdOf(keyText), id);
  }
});

test('no two keys share an id or a secret', () => {
  const keys = Array.from({ length: 2_000 }, () => makeKeyText().keyText);
  assert.equal(new Set(keys.map(idOf)).size, keys.length);
  assert.equal(new Set(keys.map(secretOf)).size, keys.length);
});

test('one wrong character anywhere, or two swapped ones, make the checksum fail', () => {
  const { keyText } = makeKeyText();
  for (let place = 0; place < keyText.length; place++) {
    const wrong = keyText[place] === 'x' ? 'y' : 'x';
    assert.equal(keyIdOf(keyText.slice(0, place) + wrong + keyText.slice(place + 1)), undefined);
    const [one, other] = keyText.slice(place, place + 2);
    if (other !== undefined && one !== other)
      assert.equal(keyIdOf(keyText.slice(0, place) + other + one + keyText.slice(place + 2)), undefined);
  }
});

test('shape and checksum are tested before the database is asked', async () => {
  const { id, keyText } = makeKeyText();
  const asked: string[] = [];
  const verifyKey = makeVerifyKey({
    keys: {
      find: async (wanted) => {
        asked.push(wanted);
        return { id, name: 'x', scope: 'read', rateLimit: 0, hash: hashKeyText(keyText), revoked: false };
      },
    },
    lastUsed: { note: () => {} },
    clock: systemClock,
  });

  const mistyped = `${keyText.slice(0, 30)}${keyText[30] === 'x' ? 'y' : 'x'}${keyText.slice(31)}`;
  for (const text of [
    '',
    'gpk_',
    mistyped,
    keyText.slice(1),
    `${keyText}x`,
    `${keyText}\n`,
    keyText.toLowerCase(),
  ])
    assert.equal(await verifyKey(text), undefined);
  assert.deepEqual(asked, []);

  assert.equal((await verifyKey(keyText))?.id, id);
  assert.deepEqual(asked, [id]);
});
