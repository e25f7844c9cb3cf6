// Tests signing secrets: long, random, in the format of Standard Webhooks, and valid for one more day after a rotation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSigningSecret, OVERLAP_MS, rotated } from './signing-secret.ts';

test('a secret has its prefix and 32 random bytes', () => {
  const secrets = Array.from({ length: 100 }, makeSigningSecret);
  for (const secret of secrets) {
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.equal(Buffer.from(secret.replace('whsec_', ''), 'base64').length, 32);
  }
  assert.equal(new Set(secrets).size, 100);
});

test('a new secret applies at once, and the previous one is valid for another day', () => {
  const before = makeSigningSecret();
  const { current, previous } = rotated({ current: before }, 1_000);
  assert.notEqual(current, before);
  assert.deepEqual(previous, { secret: before, untilMs: 1_000 + OVERLAP_MS });
  assert.equal(OVERLAP_MS, 24 * 60 * 60_000);
});

test('after two rotations the first secret is dropped', () => {
  const first = { current: makeSigningSecret() };
  const second = rotated(first, 0);
  const third = rotated(second, 1_000);
  assert.equal(third.previous?.secret, second.current);
  assert.ok(!JSON.stringify(third).includes(first.current));
});
