// Tests how long a list stays valid by itself, and that its version is read before its content, never after.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asSiteId } from '../ids.ts';
import { LIST_SIZE, makeListVouchers, nextExpiryS } from './list-vouchers.ts';
import type { Voucher } from './voucher.ts';

function usedAt(firstUsedAtS: number | null): Voucher {
  const fixed = { code: '1', name: 'x', maxUses: 1, usedCount: 1, createdAtS: 0, endedAtS: null };
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

test('the version is read before the vouchers, so that a change in between is detected', async () => {
  let version = 1;
  const listVouchers = makeListVouchers({
    listVersion: async () => version,
    async listNewest(_site, limit) {
      assert.equal(limit, LIST_SIZE);
      version++;
      return [];
    },
  });
  assert.equal((await listVouchers(asSiteId(1))).version, 1);
});
