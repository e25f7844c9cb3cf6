// Tests the search for weak secrets. tests/tidy/deployments.test.ts has those that our examples print.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { isWeakSecret } from './weak-secret.ts';

test('placeholders and texts of little variety are weak', () => {
  for (const weak of [
    'a'.repeat(40),
    'abc'.repeat(20),
    '0123456789'.repeat(4),
    '0123456789abcdef'.repeat(4),
    'abcdefghijklmnopqrstuvwxyz0123456789',
    '98765432109876543210zyxwvutsrqponm',
    'correct horse '.repeat(3),
    'changeme-4f1c9d27b8e03a65f1d2c7b9e8a4',
    'CHANGE_ME_TO_SOMETHING_LONG_AND_RANDOM',
    'please replace this with a long random text',
    'your-very-own-secret-of-32-characters',
    '<32 random characters of your own here>',
    '$(openssl rand -hex 32)',
  ])
    assert.ok(isWeakSecret(weak), weak);
});

test('random secrets are not weak, however they are written', () => {
  for (let seed = 0; seed < 5_000; seed++) {
    const bytes = createHash('sha256').update(String(seed)).digest();
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      assert.ok(!isWeakSecret(bytes.toString(encoding)), bytes.toString(encoding));
    assert.ok(!isWeakSecret(bytes.toString('hex').slice(32)), bytes.toString('hex').slice(32));
  }
  assert.ok(!isWeakSecret('der Hausmeister trinkt am Mittwoch Tee'));
});
