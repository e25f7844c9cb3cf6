// GET /vouchers.php → 200: the three status values, their precedence, and when the status of a voucher changes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { nowS, raiseListVersion, type SeedVoucher, seedVoucher } from './seed-vouchers.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

async function statusOf(voucher: Omit<SeedVoucher, 'siteId' | 'code'>): Promise<string> {
  const siteId = await service.addSite();
  seedVoucher(service, { ...voucher, siteId, code: '0123456789' });
  const reply = await service.call('GET', `vouchers.php?site_id=${siteId}`);
  return reply.json.vouchers[0].status;
}

const minutesAgo = (minutes: number) => nowS(service) - minutes * 60;

// Contract: status | string | Status of the voucher
// Contract: Types and formats of status, used_count, created_at and expires_at …
// Contract: Status values: not shown.
test('an unused voucher is valid, whatever its age', async () => {
  assert.equal(await statusOf({ createdAtS: minutesAgo(1_000_000), expireMinutes: 1 }), 'valid');
});

test('a voucher with remaining uses and remaining time is valid', async () => {
  assert.equal(await statusOf({ maxUses: 2, usedCount: 1, firstUsedAtS: minutesAgo(10) }), 'valid');
});

// Contract: Types and formats of status, used_count, created_at and expires_at …
// Contract: Status values: not shown.
test('a voucher without remaining uses is used', async () => {
  assert.equal(await statusOf({ maxUses: 1, usedCount: 1, firstUsedAtS: minutesAgo(10) }), 'used');
  assert.equal(await statusOf({ maxUses: 2, usedCount: 3, firstUsedAtS: minutesAgo(10) }), 'used');
});

// Contract: Types and formats of status, used_count, created_at and expires_at …
// Contract: Status values: not shown.
test('a voucher is expired from the exact second at which its time ends', async () => {
  const firstUsedAtS = minutesAgo(60);
  const uses = { maxUses: 5, usedCount: 1 };
  assert.equal(await statusOf({ ...uses, expireMinutes: 60, firstUsedAtS: firstUsedAtS + 1 }), 'valid');
  assert.equal(await statusOf({ ...uses, expireMinutes: 60, firstUsedAtS }), 'expired');
});

// Contract: Status values: not shown.
test('a voucher that was revoked or is missing on the controller is expired, even if it is unused', async () => {
  assert.equal(await statusOf({ endedAtS: nowS(service) }), 'expired');
});

// Contract: Status values: not shown.
test('expired takes precedence over used', async () => {
  assert.equal(
    await statusOf({ maxUses: 1, usedCount: 1, expireMinutes: 5, firstUsedAtS: minutesAgo(6) }),
    'expired',
  );
  assert.equal(await statusOf({ maxUses: 1, usedCount: 1, endedAtS: minutesAgo(1) }), 'expired');
});

// Contract: Transitions: not shown.
test('a voucher becomes expired in the list when its time ends, without a database write', async () => {
  const siteId = await service.addSite();
  const uses = { siteId, maxUses: 9, usedCount: 1, firstUsedAtS: nowS(service) };
  seedVoucher(service, { ...uses, code: 'two minutes', expireMinutes: 2 });
  seedVoucher(service, { ...uses, code: 'one minute', expireMinutes: 1 });
  seedVoucher(service, { siteId, code: 'unused', expireMinutes: 1 });
  seedVoucher(service, { siteId, code: 'unused, with an end', endsAtS: nowS(service) + 60 });
  const statuses = async () => {
    const reply = await service.call('GET', `vouchers.php?site_id=${siteId}`);
    return reply.json.vouchers.map((voucher: { status: string }) => voucher.status);
  };

  assert.deepEqual(await statuses(), ['valid', 'valid', 'valid', 'valid']);
  service.clock.advance(59_999);
  assert.deepEqual(await statuses(), ['valid', 'valid', 'valid', 'valid']);
  service.clock.advance(1);
  assert.deepEqual(await statuses(), ['expired', 'valid', 'expired', 'valid']);
  service.clock.advance(60_000);
  assert.deepEqual(await statuses(), ['expired', 'valid', 'expired', 'expired']);
});

test('an expired voucher is valid again after the clock is set back', async () => {
  const siteId = await service.addSite();
  const firstUsedAtS = nowS(service);
  seedVoucher(service, { siteId, code: '1', maxUses: 9, usedCount: 1, expireMinutes: 1, firstUsedAtS });
  const status = async () => {
    const reply = await service.call('GET', `vouchers.php?site_id=${siteId}`);
    return reply.json.vouchers[0].status;
  };
  service.clock.advance(60_000);
  assert.equal(await status(), 'expired');
  service.clock.advance(-30_000);
  assert.equal(await status(), 'valid');
});

// Contract: used_count | number | Count of uses
// Contract: Types and formats of status, used_count, created_at and expires_at …
// Contract: Transitions: not shown.
test('a use that the sync found is in the next list', async () => {
  const siteId = await service.addSite();
  seedVoucher(service, { siteId, code: '1' });
  const first = await service.call('GET', `vouchers.php?site_id=${siteId}`);
  assert.equal(first.json.vouchers[0].status, 'valid');

  service.change(
    'update vouchers set used_count = 1, first_used_at_s = ? where site_id = ?',
    nowS(service),
    siteId,
  );
  raiseListVersion(service, siteId);
  const second = await service.call('GET', `vouchers.php?site_id=${siteId}`);
  assert.equal(second.json.vouchers[0].status, 'used');
  assert.equal(second.json.vouchers[0].used_count, 1);
});
