// Tests the bounds of an order (the service's own and those of a controller) and the equality of orders.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ControllerBounds, VoucherLimits } from '../controllers/controller.ts';
import { findOutOfBounds, isSameOrder, MAX_INTEGER } from './voucher-order.ts';

const limits: VoucherLimits = { maxUses: 1, expireMinutes: 480, downKbps: 0, upKbps: 0, quotaMb: 0 };
const fields = {
  maxUses: 'max_uses',
  expireMinutes: 'expire_minutes',
  downKbps: 'down',
  upKbps: 'up',
  quotaMb: 'quota_mb',
} as const;

for (const [name, field] of Object.entries(fields)) {
  test(`${field} may be at most ${MAX_INTEGER}`, () => {
    assert.equal(findOutOfBounds({ ...limits, [name]: MAX_INTEGER }), undefined);
    for (const value of [MAX_INTEGER + 1, 1e308, Number.POSITIVE_INFINITY])
      assert.deepEqual(findOutOfBounds({ ...limits, [name]: value }), {
        kind: 'out-of-bounds',
        field,
        max: MAX_INTEGER,
      });
  });

  test(`a controller’s own bounds of ${field} apply on both sides, and 0 always means unlimited`, () => {
    const bounds: ControllerBounds = { [name]: { min: 2, max: 100_000 } };
    const outside = { kind: 'out-of-bounds', field, min: 2, max: 100_000 };
    const check = (value: number) => findOutOfBounds({ ...limits, [name]: value }, bounds);
    assert.deepEqual([check(1), check(100_001)], [outside, outside]);
    assert.deepEqual([check(0), check(2), check(100_000)], [undefined, undefined, undefined]);
  });
}

test('if several limits are out of bounds, the first in the contract’s order is reported', () => {
  const all = { maxUses: 1e10, expireMinutes: 1e10, downKbps: 1e10, upKbps: 1e10, quotaMb: 1e10 };
  assert.equal(findOutOfBounds(all)?.field, 'max_uses');
  assert.equal(findOutOfBounds({ ...all, maxUses: 1 })?.field, 'expire_minutes');
});

test('a controller without bounds accepts what the service accepts', () => {
  assert.equal(findOutOfBounds({ ...limits, downKbps: MAX_INTEGER }, {}), undefined);
});

test('orders are equal only if the name and every limit are equal', () => {
  const order = { ...limits, name: '2026-01-15_Zimmer 12' };
  assert.equal(isSameOrder(order, { ...order }), true);
  assert.equal(isSameOrder(order, { ...order, name: '2026-01-15_zimmer 12' }), false);
  for (const name of Object.keys(fields))
    assert.equal(isSameOrder(order, { ...order, [name]: 77 }), false, name);
});
