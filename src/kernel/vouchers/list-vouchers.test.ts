// Tests how long a list stays valid by itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextExpiryS } from './list-vouchers.ts';
import type { Voucher } from './voucher.ts';

function usedAt(firstUsedAtS: number | null): Voucher {
  const fixed = {
    code: '1',
    name: 'x',
    maxUses: 1,
    usedCount: 1,
    createdAtS: 0,
    endedAtS: null,
    endsAtS: null,
  };
  return { ...fixed, expireMinutes: 1, firstUsedAtS };
}

test('the next expiry is the earliest one in the future', () => {
  const vouchers = [usedAt(500), usedAt(100), usedAt(300), usedAt(null)];
  assert.equal(nextExpiryS(vouchers, 0), 160);
  assert.equal(nextExpiryS(vouchers, 159), 160);
  assert.equal(nextExpiryS(vouchers, 160), 360);
  assert.equal(nextExpiryS(vouchers, 560), undefined);
});

test('a list of unused vouchers never changes by itself', () => {
  assert.equal(nextExpiryS([usedAt(null), usedAt(null)], 0), undefined);
  assert.equal(nextExpiryS([], 0), undefined);
});

test('a list changes when an unused voucher reaches its own end', () => {
  assert.equal(nextExpiryS([{ ...usedAt(null), endsAtS: 90 }, usedAt(100)], 0), 90);
});
