// POST /vouchers.php → 404 not_found: the site does not exist, is inactive, or its number is larger than any site id.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../../src/kernel/ids.ts';
import { TESTER } from '../../support/actors.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { leaving } from '../support/post-vouchers-traces.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
});
after(() => service.stop());

/** `siteId` is JSON text, so that a test can choose the notation of a number. */
const create = (siteId: string | number) =>
  service.call('POST', 'vouchers.php', { body: `{"site_id":${siteId},"name":"Nirgends"}` });

async function assertNotFound(siteId: string | number): Promise<void> {
  const reply = await leaving(service, {}, () => create(siteId));
  assert.equal(reply.status, 404, String(siteId));
  assert.equal(reply.text, '{"error":"not_found","message":"Site nicht gefunden"}');
}

const setActive = (siteId: number, active: boolean) =>
  service.beside.sites.change(asSiteId(siteId), { active }, { actor: TESTER, atMs: 0 });

// Contract: If it is missing or inactive, the result is 404 `not_found` with …
// Contract: Error body for the cases below: JSON `{ "error": <code>, "message" …
// Contract: 404 | not_found | POST: site missing or inactive | `Site nicht …
test('an order for a site that does not exist is refused with 404', async () => {
  for (const siteId of [999, '"999"', 999.9, 2_147_483_647]) await assertNotFound(siteId);
});

// Contract: Only active sites can receive vouchers.
// Contract: The site is looked up among active sites.
// Contract: If it is missing or inactive, the result is 404 `not_found` with …
// Contract: 404 | not_found | POST: site missing or inactive | `Site nicht …
test('an order for an inactive site is refused with 404 until the site is active again', async () => {
  const siteId = await service.addSite('default', 'Winterpause');
  assert.equal((await create(siteId)).status, 201);
  await setActive(siteId, false);
  await assertNotFound(siteId);
  await setActive(siteId, true);
  assert.equal((await create(siteId)).status, 201);
});

test('an order with a site_id larger than any site id is refused with 404', async () => {
  const numbers = ['2147483648', '4294967297', '9007199254740993', '18446744073709551617', '1e308', '1e999'];
  for (const number of numbers) {
    await assertNotFound(number);
    await assertNotFound(`"${number}"`);
  }
});

test('an Idempotency-Key can be used again after a 404', async () => {
  const siteId = await service.addSite('default', 'Kommt später');
  await setActive(siteId, false);
  const options = {
    headers: { 'idempotency-key': 'spaeter' },
    body: { site_id: siteId, name: 'Noch einmal' },
  };
  assert.equal((await service.call('POST', 'vouchers.php', options)).status, 404);
  await setActive(siteId, true);
  const reply = await service.call('POST', 'vouchers.php', options);
  assert.equal(reply.status, 201);
  assert.equal(reply.headers.get('idempotent-replayed'), null);
});
