// Tests codes from an authenticator app: the examples of the RFC, clocks that are off, and used codes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOfStep, findStep, makeTotpSecret, stepAt, toOtpauth } from './totp.ts';

/** "12345678901234567890" in base32, the secret of the RFC's examples. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const NOW_MS = 1_111_111_109_000;
const STEP = stepAt(NOW_MS);

test('codes equal the last six digits of the examples in RFC 6238', () => {
  const examples: [number, string][] = [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ];
  for (const [seconds, eightDigits] of examples)
    assert.equal(codeOfStep(SECRET, stepAt(seconds * 1000)), eightDigits.slice(2), String(seconds));
});

test('a code is accepted only in its own time step and the steps before and after', () => {
  for (const [away, found] of [
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ] as const) {
    const code = codeOfStep(SECRET, STEP + away);
    const step = findStep(SECRET, code, { nowMs: NOW_MS, lastStep: 0 });
    assert.equal(step, found ? STEP + away : undefined, `${away} steps away`);
  }
});

test('neither a used code nor a code of an earlier step is accepted again', () => {
  for (const away of [-1, 0])
    assert.equal(
      findStep(SECRET, codeOfStep(SECRET, STEP + away), { nowMs: NOW_MS, lastStep: STEP }),
      undefined,
    );
  assert.equal(findStep(SECRET, codeOfStep(SECRET, STEP + 1), { nowMs: NOW_MS, lastStep: STEP }), STEP + 1);
});

test('a text that is not six digits is never accepted', () => {
  for (const code of ['', '0', '0000000', 'äöü', '٠١٢٣٤٥', `${codeOfStep(SECRET, STEP)}0`])
    assert.equal(findStep(SECRET, code, { nowMs: NOW_MS, lastStep: 0 }), undefined, code);
});

test('a secret has twenty random bytes, and codes keep their leading zeros', () => {
  const made = Array.from({ length: 20 }, makeTotpSecret);
  for (const secret of made) assert.match(secret, /^[A-Z2-7]{32}$/);
  assert.equal(new Set(made).size, made.length);
  const codes = Array.from({ length: 200 }, (_, step) => codeOfStep(SECRET, step));
  for (const code of codes) assert.match(code, /^\d{6}$/);
  assert.ok(codes.some((code) => code.startsWith('0')));
});

test('the QR code contains the title and the account, whatever their characters', () => {
  assert.equal(
    toOtpauth(SECRET, { title: 'Café & Bar:1', account: 'ada@example.org' }),
    `otpauth://totp/Caf%C3%A9%20%26%20Bar%201:ada%40example.org?secret=${SECRET}&issuer=Caf%C3%A9%20%26%20Bar%201&algorithm=SHA1&digits=6&period=30`,
  );
});
