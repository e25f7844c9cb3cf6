// Tests that the quick look at the counted stock agrees with the plan that is made from each voucher.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asScreenId, asSiteId, asStockId } from '../../kernel/ids.ts';
import type { StockState, StockVoucher } from '../../kernel/stock/stock-voucher.ts';
import { isAsWanted, planStock } from './plan-stock.ts';
import type { StockGroup, StockTarget } from './stock.ts';

const siteId = asSiteId(1);
const LIMITS = { maxUses: 1, expireMinutes: 480, downKbps: 0, upKbps: 0, quotaMb: 0 };
const SCREENS = [null, asScreenId(7)];

function toVoucher(id: number, fields: Partial<StockVoucher>): StockVoucher {
  const own = { id: asStockId(id), siteId, name: 'x', code: String(id), controllerVoucherId: String(id) };
  return {
    ...own,
    ...LIMITS,
    screenId: null,
    state: 'ready',
    madeAtMs: 0,
    ageMs: 0,
    missing: null,
    ...fields,
  };
}

/** One group for each voucher: the quick look must add them up. */
const toGroup = ({ ageMs, missing, ...voucher }: StockVoucher): StockGroup => ({
  ...voucher,
  count: 1,
  oldestMs: ageMs,
  missingForMs: missing?.forMs ?? 0,
});

function agrees(targets: StockTarget[], stock: StockVoucher[]): boolean {
  const intents: never[] = [];
  const plan = planStock({
    ...{ targets, stock, intents, profiles: [] },
    isOld: () => false,
    isLongMissing: () => false,
  });
  const isLeaving = stock.some(({ state }) => state === 'leaving');
  const isDue = plan.orders.length > 0 || plan.leaving.length > 0 || isLeaving;
  return isAsWanted({ targets, groups: stock.map(toGroup), profiles: [] }) === !isDue;
}

/** All lists of up to `length` of these items, without regard to their order. */
function* choices<Item>(items: Item[], length: number): Generator<Item[]> {
  yield [];
  if (length === 0) return;
  for (const [index, item] of items.entries())
    for (const more of choices(items.slice(index), length - 1)) yield [item, ...more];
}

test('a stock is as wanted exactly if its plan is empty', () => {
  const states: StockState[] = ['ready', 'missing', 'leaving'];
  const kinds = SCREENS.flatMap((screenId) =>
    states.flatMap((state) => [1, 3].map((maxUses) => ({ screenId, state, maxUses }))),
  );
  const targets = SCREENS.flatMap((screenId) =>
    [1, 2].flatMap((wanted) =>
      [true, false].map((isAwaited) => ({ siteId, screenId, name: 'x', profileIds: [], wanted, isAwaited })),
    ),
  );
  let cases = 0;
  for (const stock of choices(kinds, 3))
    for (const wanted of choices(targets, 2)) {
      if (new Set(wanted.map(({ screenId }) => screenId)).size < wanted.length) continue;
      const vouchers = stock.map((fields, id) => toVoucher(id, fields));
      assert.ok(agrees(wanted, vouchers), JSON.stringify({ stock, wanted }));
      cases++;
    }
  assert.ok(cases > 5_000);
});

test('a voucher that may be too old, or missing for too long, must be looked at', () => {
  const DAY_MS = 24 * 60 * 60_000;
  const targets = [{ siteId, screenId: null, name: 'x', profileIds: [], wanted: 1, isAwaited: true }];
  const isQuiet = (...stock: StockVoucher[]) =>
    isAsWanted({ targets, groups: stock.map(toGroup), profiles: [] });
  const fresh = toVoucher(1, { ageMs: 29 * DAY_MS });
  const missing = (days: number) =>
    toVoucher(2, { state: 'missing', missing: { sinceMs: 0, forMs: days * DAY_MS } });
  assert.equal(isQuiet(fresh), true);
  assert.equal(isQuiet(toVoucher(1, { ageMs: 30 * DAY_MS })), false);
  assert.equal(isQuiet(fresh, missing(6)), true);
  assert.equal(isQuiet(fresh, missing(7)), false);
});
