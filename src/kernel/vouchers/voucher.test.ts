// Tests the rules that follow from a voucher's fields: when it ends, its status, and how its code is written.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expiresAtS, formatCode, statusOf, type Voucher } from './voucher.ts';

const FIRST_USE_S = 1_768_476_531;

function voucher(fields: Partial<Voucher> = {}): Voucher {
  return {
    code: '0482715936',
    name: '2026-01-15_Zimmer 12',
    maxUses: 2,
    expireMinutes: 10,
    usedCount: 0,
    createdAtS: FIRST_USE_S - 100,
    firstUsedAtS: null,
    endedAtS: null,
    endsAtS: null,
    ...fields,
  };
}

test('an unused voucher has no expiry, however old it is', () => {
  assert.equal(expiresAtS(voucher()), null);
  assert.equal(statusOf(voucher(), FIRST_USE_S + 1_000_000_000), 'valid');
});

test('the validity starts with the first use and ends to the second', () => {
  const used = voucher({ usedCount: 1, firstUsedAtS: FIRST_USE_S });
  assert.equal(expiresAtS(used), FIRST_USE_S + 600);
  assert.equal(statusOf(used, FIRST_USE_S + 599), 'valid');
  assert.equal(statusOf(used, FIRST_USE_S + 600), 'expired');
});

test('a voucher is used when all its uses are spent, and not before', () => {
  const spent = (usedCount: number) =>
    statusOf(voucher({ usedCount, firstUsedAtS: FIRST_USE_S }), FIRST_USE_S);
  assert.deepEqual([0, 1, 2, 3].map(spent), ['valid', 'valid', 'used', 'used']);
});

test('a voucher with unlimited uses is valid until it expires or is missing', () => {
  const unlimited = { maxUses: 0, firstUsedAtS: FIRST_USE_S };
  for (const usedCount of [0, 1, 2, 1_000_000]) {
    assert.equal(statusOf(voucher({ ...unlimited, usedCount }), FIRST_USE_S + 599), 'valid');
    assert.equal(statusOf(voucher({ ...unlimited, usedCount }), FIRST_USE_S + 600), 'expired');
  }
  assert.equal(statusOf(voucher({ maxUses: 0 }), FIRST_USE_S + 1_000_000_000), 'valid');
  assert.equal(statusOf(voucher({ ...unlimited, endedAtS: FIRST_USE_S }), FIRST_USE_S), 'expired');
});

test('expired takes precedence over used', () => {
  const both = voucher({ usedCount: 2, firstUsedAtS: FIRST_USE_S });
  assert.equal(statusOf(both, FIRST_USE_S + 600), 'expired');
});

test('a revoked or missing voucher is expired, used or not', () => {
  assert.equal(statusOf(voucher({ endedAtS: FIRST_USE_S }), FIRST_USE_S), 'expired');
  assert.equal(statusOf(voucher({ endedAtS: FIRST_USE_S, usedCount: 2 }), FIRST_USE_S), 'expired');
});

test('the expiry of the longest possible validity is exact', () => {
  const long = voucher({ firstUsedAtS: FIRST_USE_S, expireMinutes: 2_147_483_647 });
  assert.equal(expiresAtS(long), FIRST_USE_S + 2_147_483_647 * 60);
});

test('a code is written in groups of five digits and keeps its leading zeros', () => {
  assert.equal(formatCode('0482715936'), '04827-15936');
  assert.equal(formatCode('12345'), '12345');
  assert.equal(formatCode('123456'), '12345-6');
  assert.equal(formatCode('000000000000000'), '00000-00000-00000');
});

test('a voucher never expires later than at its own end', () => {
  const endsAtS = FIRST_USE_S + 30;
  const unused = voucher({ endsAtS });
  assert.equal(expiresAtS(unused), null);
  assert.equal(statusOf(unused, endsAtS - 1), 'valid');
  assert.equal(statusOf(unused, endsAtS), 'expired');
  const used = voucher({ endsAtS, firstUsedAtS: FIRST_USE_S, usedCount: 1 });
  assert.equal(expiresAtS(used), endsAtS);
  assert.equal(statusOf(used, endsAtS), 'expired');
  const long = voucher({ endsAtS: FIRST_USE_S + 1e9, firstUsedAtS: FIRST_USE_S });
  assert.equal(expiresAtS(long), expiresAtS({ ...long, endsAtS: null }));
});
