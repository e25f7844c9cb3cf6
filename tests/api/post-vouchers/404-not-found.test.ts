// POST /vouchers.php → 404 not_found: the site is missing, inactive, or its number larger than any site's.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../../src/domain/ids.ts';
import { TESTER } from '../../support/actors.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { leaving } from '../support/post-vouchers-traces.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

/** `siteId` is JSON text, so that numbers can be spelled as a caller might spell them. */
const create = (siteId: string | number) =>
  service.call('POST', 'vouchers.php', { body: `{"site_id":${siteId},"name":"Nirgends"}` });

async function assertNotFound(siteId: string | number): Promise<void> {
  const reply = await leaving(service, {}, () => create(siteId));
  assert.equal(reply.status, 404, String(siteId));
  assert.equal(reply.text, '{"error":"not_found","message":"Site nicht gefunden"}');
}

const setActive = (siteId: number, active: boolean) =>
  service.beside.sites.change(asSiteId(siteId), { active }, { actor: TESTER, atMs: 0 });

test('a site that does not exist is not found', async () => {
  for (const siteId of [999, '"999"', 999.9, 2_147_483_647]) await assertNotFound(siteId);
});

test('an inactive site is not found, and found again once it is active', async () => {
  const siteId = await service.addSite('default', 'Winterpause');
  assert.equal((await create(siteId)).status, 201);
  await setActive(siteId, false);
  await assertNotFound(siteId);
  await setActive(siteId, true);
  assert.equal((await create(siteId)).status, 201);
});

test('a number larger than any site’s is not found, however large', async () => {
  const numbers = ['2147483648', '4294967297', '9007199254740993', '18446744073709551617', '1e308', '1e999'];
  for (const number of numbers) {
    await assertNotFound(number);
    await assertNotFound(`"${number}"`);
  }
});

test('an answer of 404 does not use up the Idempotency-Key', async () => {
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
