// The limit is exact for concurrent requests.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

function countByStatus(statuses: number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

// Contract: rate_limit | Maximum accepted requests per one-minute window …
test('with a limit of 50, exactly 50 of 200 concurrent requests are accepted', async () => {
  const key = await service.issueKey('read', 50);
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      service.call('GET', index % 2 ? 'sites.php' : 'vouchers.php?site_id=1', { key }),
    ),
  );
  assert.deepEqual(countByStatus(replies.map(({ status }) => status)), { 200: 50, 429: 150 });

  const left = replies.filter(({ status }) => status === 200).map(({ headers }) => headers.get('ratelimit'));
  assert.equal(new Set(left).size, 50, 'two accepted requests got the same number of remaining requests');

  service.clock.advance(60_000);
  const again = await Promise.all(
    Array.from({ length: 60 }, () => service.call('GET', 'sites.php', { key })),
  );
  assert.deepEqual(countByStatus(again.map(({ status }) => status)), { 200: 50, 429: 10 });
});

test('with a limit of 20, exactly 20 of 60 concurrent requests create a voucher', async () => {
  const key = await service.issueKey('write', 20);
  const siteId = await service.addSite();
  const replies = await Promise.all(
    Array.from({ length: 60 }, () =>
      service.call('POST', 'vouchers.php', { key, body: { site_id: siteId, name: 'Zimmer' } }),
    ),
  );
  assert.deepEqual(countByStatus(replies.map(({ status }) => status)), { 201: 20, 429: 40 });
  assert.equal(service.rows('select id from vouchers where site_id = ?', siteId).length, 20);
});
