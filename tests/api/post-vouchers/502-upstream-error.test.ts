// POST /vouchers.php → 502 upstream_error: the controller responded without a voucher, or with a voucher that has no
// code. Nothing is recorded or announced; the intent stays open until it is certain that no voucher was created.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { FORGOTTEN_AFTER_MS, settle } from '../support/post-vouchers-settle.ts';
import { leaving } from '../support/post-vouchers-traces.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true, jobs: false });
});
after(() => service.stop());

const ways = { 'fail:nothing': 'no voucher', 'fail:no-code': 'a voucher without a code' };

// Contract: If the controller returns no voucher, or one without a `formatted_code` …
// Contract: 502 | upstream_error | Controller returned no valid voucher (no …
for (const [site, says] of Object.entries(ways))
  test(`an order gets a 502 if the controller returns ${says}`, async () => {
    const siteId = await service.addSite(site, says);
    const body = { site_id: siteId, name: 'Leer' };
    const reply = await leaving(service, { intents: 1 }, () =>
      service.call('POST', 'vouchers.php', { body }),
    );
    assert.equal(reply.status, 502);
    assert.equal(
      reply.text,
      '{"error":"upstream_error","message":"Der Controller lieferte keinen gültigen Voucher"}',
    );
    const list = await service.call('GET', `vouchers.php?site_id=${siteId}`);
    assert.deepEqual(list.json.vouchers, []);
    const requestId = reply.headers.get('x-request-id');
    assert.ok(service.logLines.some((line) => line.requestId === requestId && line.level === 'warn'));

    service.clock.advance(FORGOTTEN_AFTER_MS);
    await leaving(service, { intents: -1 }, () => settle(service));
  });
