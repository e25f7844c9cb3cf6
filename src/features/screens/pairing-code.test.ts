// Tests the pairing codes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePairingCode, readPairingCode } from './pairing-code.ts';

test('a code is found however it is typed', () => {
  const { code, pairingHash } = makePairingCode();
  assert.match(code, /^[AC-HJKMNPQRTV-Y34679]{4}-[AC-HJKMNPQRTV-Y34679]{4}$/);
  const plain = code.replace('-', '');
  const typed = [code, plain, code.toLowerCase(), ` ${plain.slice(0, 3)} ${plain.slice(3)}\n`];
  for (const text of [...typed, code.replace('-', '–')]) assert.equal(readPairingCode(text), pairingHash);
});

test('codes differ, and other texts are not codes', () => {
  const codes = new Set(Array.from({ length: 1_000 }, () => makePairingCode().code));
  assert.equal(codes.size, 1_000);
  for (const text of ['', 'ACDE-FGH', 'ACDE-FGHJK', 'ACDE-FGH0', 'ÄCDE-FGHJ', ' '.repeat(4_000)])
    assert.equal(readPairingCode(text), undefined);
});
