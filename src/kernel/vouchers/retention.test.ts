// Tests when a voucher ends, and the time from which vouchers and audit entries are kept.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOfS, keptFrom } from './retention.ts';

const course = { expireMinutes: 10, firstUsedAtS: null, endedAtS: null, missingSinceS: null };
const DAY_S = 24 * 60 * 60;

test('a voucher that was never used has no end', () => {
  assert.equal(endOfS(course), null);
});

test('a used voucher ends at its expiry, or earlier if it is revoked or missing', () => {
  const used = { ...course, firstUsedAtS: 1_000 };
  assert.equal(endOfS(used), 1_600);
  assert.equal(endOfS({ ...used, endedAtS: 1_200 }), 1_200);
  assert.equal(endOfS({ ...used, endedAtS: 9_000, missingSinceS: 9_000 }), 1_600);
  assert.equal(endOfS({ ...course, endedAtS: 1_200 }), 1_200);
});

test('a voucher that was used up unseen gets its latest possible end', () => {
  assert.equal(endOfS({ ...course, missingSinceS: 5_000 }), 5_600);
});

test('records are kept from the given number of days before now, or for ever', () => {
  const nowMs = 100 * DAY_S * 1_000 + 999;
  assert.deepEqual(keptFrom({ keepVouchersDays: 30, keepAuditDays: null }, nowMs), {
    vouchersS: 70 * DAY_S,
    auditMs: null,
  });
  assert.deepEqual(keptFrom({ keepVouchersDays: null, keepAuditDays: 90 }, nowMs), {
    vouchersS: null,
    auditMs: 10 * DAY_S * 1_000 + 999,
  });
});
