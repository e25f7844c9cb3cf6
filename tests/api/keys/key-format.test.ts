// The format of an API key: its parts, its checksum, and that a mistyped key does not cause a database query.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashKeyText, keyIdOf, makeKeyText } from '../../../src/kernel/keys/api-key.ts';
import { makeVerifyKey } from '../../../src/kernel/keys/verify-key.ts';
import { systemClock } from '../../../src/platform/time/clock.ts';
import { forgeKey, idOf, secretOf } from './forge-key.ts';

// Contract: Key format and length: not shown.
test('a key is gpk_, an id of 8, a secret of 32 and a checksum of 6 characters, 50 in total', () => {
  for (let count = 0; count < 500; count++) {
    const { id, keyText } = makeKeyText();
    assert.match(keyText, /^gpk_[0-9A-Za-z]{46}$/);
    assert.equal(keyText.length, 50);
    assert.equal(id, idOf(keyText));
    assert.equal(
      keyText,
      forgeKey(id, secretOf(keyText)),
      'the checksum is the CRC-32 of all characters before it',
    );
    assert.equal(keyIdOf(keyText), id);
  }
});

test('no two keys share an id or a secret', () => {
  const keys = Array.from({ length: 2_000 }, () => makeKeyText().keyText);
  assert.equal(new Set(keys.map(idOf)).size, keys.length);
  assert.equal(new Set(keys.map(secretOf)).size, keys.length);
});

test('one wrong character or two swapped characters invalidate the checksum', () => {
  const { keyText } = makeKeyText();
  for (let place = 0; place < keyText.length; place++) {
    const wrong = keyText[place] === 'x' ? 'y' : 'x';
    assert.equal(keyIdOf(keyText.slice(0, place) + wrong + keyText.slice(place + 1)), undefined);
    const [one, other] = keyText.slice(place, place + 2);
    if (other !== undefined && one !== other)
      assert.equal(keyIdOf(keyText.slice(0, place) + other + one + keyText.slice(place + 2)), undefined);
  }
});

test('format and checksum are checked before the database is queried', async () => {
  const { id, keyText } = makeKeyText();
  const asked: string[] = [];
  const verifyKey = makeVerifyKey({
    keys: {
      lookUp: async ({ id: wanted }) => {
        asked.push(wanted);
        return {
          id,
          name: 'x',
          scope: 'read',
          rateLimit: 0,
          sites: 'all',
          expiresAtMs: null,
          hash: hashKeyText(keyText),
          revoked: false,
        };
      },
    },
    floodGuard: { isFlooding: () => false, allowsLookUp: async () => true, note: () => {} },
    lastUsed: { note: () => {} },
    clock: systemClock,
  });

  const caller = { clientIp: () => '192.0.2.1' };
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
    assert.deepEqual(await verifyKey(text, caller), { ok: false, problem: { reason: 'malformed' } });
  assert.deepEqual(asked, []);

  assert.equal((await verifyKey(keyText, caller)).ok, true);
  assert.deepEqual(asked, [id]);
});
