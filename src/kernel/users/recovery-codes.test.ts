// Tests recovery codes: ten different codes, recognised however they are typed.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { hashRecoveryCode, makeRecoveryCodes } from './recovery-codes.ts';

test('there are ten different, readable codes that do not look like codes from an authenticator app', () => {
  const { codes, codeHashes } = makeRecoveryCodes();
  assert.equal(new Set(codes).size, 10);
  assert.equal(new Set(codeHashes).size, 10);
  for (const code of codes) assert.match(code, /^([a-z2-9]{5}-){2}[a-z2-9]{5}$/);
});

test('a code is recognised in capitals, with spaces or without dashes, and differs from its hash', () => {
  const [code = ''] = makeRecoveryCodes().codes;
  const hash = hashRecoveryCode(code);
  assert.notEqual(hash, code);
  for (const typed of [code.toUpperCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' ')} `])
    assert.equal(hashRecoveryCode(typed), hash, typed);
  assert.notEqual(hashRecoveryCode(code.slice(1)), hash);
});

test('a code that was moved in is recognised by the hash of its text in capitals, with the dash', () => {
  const stored = createHash('sha256').update('1A2B-3C4D').digest('hex');
  for (const typed of ['1A2B-3C4D', '1a2b3c4d', ' 1a2b 3C4D ']) assert.equal(hashRecoveryCode(typed), stored);
  assert.notEqual(hashRecoveryCode('1A2B-3C4E'), stored);
});
