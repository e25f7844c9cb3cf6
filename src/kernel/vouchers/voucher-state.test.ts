// Tests the states that the web interface shows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasEnded, stateOf, VOUCHER_STATES } from './voucher-state.ts';

const NOW_S = 1_000_000;
const EMPTY = {
  code: '0482715936',
  name: 'Zimmer 1',
  maxUses: 2,
  expireMinutes: 60,
  usedCount: 0,
  createdAtS: NOW_S - 10_000,
  firstUsedAtS: null as number | null,
  endedAtS: null as number | null,
  endsAtS: null as number | null,
  revokedAtS: null as number | null,
};
const state = (fields: Partial<typeof EMPTY>) => stateOf({ ...EMPTY, ...fields }, NOW_S);

test('a voucher is unused, in use, used up and expired, in this order', () => {
  const used = { usedCount: 1, firstUsedAtS: NOW_S - 3_599 };
  assert.equal(state({}), 'unused');
  assert.equal(state(used), 'in-use');
  assert.equal(state({ ...used, usedCount: 2 }), 'used-up');
  assert.equal(state({ ...used, usedCount: 2, firstUsedAtS: NOW_S - 3_600 }), 'expired');
  assert.equal(state({ ...used, usedCount: 9, maxUses: 0 }), 'in-use', 'unlimited');
});

test('a voucher that is no longer on the controller was deleted, unless its time was over by then', () => {
  assert.equal(state({ endedAtS: NOW_S - 5 }), 'deleted');
  const firstUsedAtS = NOW_S - 4_000;
  assert.equal(state({ usedCount: 1, firstUsedAtS, endedAtS: firstUsedAtS + 600 }), 'deleted');
  assert.equal(state({ usedCount: 1, firstUsedAtS, endedAtS: firstUsedAtS + 3_600 }), 'expired');
});

test('a voucher that was moved in as expired is expired, although its first use is unknown', () => {
  const moved = { createdAtS: NOW_S - 3_700, endedAtS: NOW_S - 100 };
  assert.equal(state(moved), 'expired');
  assert.equal(state({ ...moved, endedAtS: NOW_S - 99 }), 'deleted');
});

test('a revoked voucher is revoked, whatever else is true of it', () => {
  assert.equal(state({ revokedAtS: 5, endedAtS: 5 }), 'revoked');
  assert.equal(state({ revokedAtS: 5, endedAtS: 5, usedCount: 2, firstUsedAtS: 1 }), 'revoked');
});

test('expired, revoked and deleted vouchers have ended', () => {
  assert.deepEqual(VOUCHER_STATES.filter(hasEnded), ['expired', 'revoked', 'deleted']);
});

test('from its own end on, a voucher is expired, used or not, whoever deleted it before', () => {
  const endsAtS = NOW_S;
  assert.equal(state({ endsAtS }), 'expired');
  assert.equal(state({ endsAtS, usedCount: 1, firstUsedAtS: NOW_S - 5 }), 'expired');
  assert.equal(state({ endsAtS, endedAtS: NOW_S - 5 }), 'expired');
  assert.equal(state({ endsAtS, endedAtS: NOW_S + 5 }), 'expired');
  assert.equal(state({ endsAtS, revokedAtS: NOW_S - 5, endedAtS: NOW_S - 5 }), 'revoked');
  assert.equal(state({ endsAtS: NOW_S + 1 }), 'unused');
  assert.equal(state({ endsAtS: NOW_S + 1, endedAtS: NOW_S - 5 }), 'deleted');
});
