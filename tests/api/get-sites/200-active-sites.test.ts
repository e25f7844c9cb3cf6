// GET /sites.php → 200: the active sites, sorted by name, with the number to use in requests.

import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';

const service: TestService = await startTestService();
beforeEach(() => service.change('update sites set active = 0'));
after(() => service.stop());

async function names(): Promise<string[]> {
  const reply = await service.call('GET', 'sites.php');
  assert.equal(reply.status, 200);
  return reply.json.sites.map((site: { name: string }) => site.name);
}

// Contract: The service is an HTTP REST API that exchanges JSON.
// Contract: A site has a numeric identifier (`site_id` in requests), a name …
// Contract: Success: 200.
// Contract: Response body of GET /sites.php: not shown.
test('a site is listed with its id, its name and its name on the controller, and no other fields', async () => {
  const id = await service.addSite('default', 'Haus A');
  const reply = await service.call('GET', 'sites.php');
  assert.equal(reply.status, 200);
  assert.equal(reply.text, `{"sites":[{"id":${id},"name":"Haus A","site_id":"default"}]}`);
  assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(reply.headers.get('cache-control'), 'no-store');
});

// Contract: A site has a numeric identifier (`site_id` in requests), a name …
test('the listed id is the site_id to use when creating a voucher for the site', async () => {
  await service.addSite('default', 'Haus mit Voucher');
  const { json } = await service.call('GET', 'sites.php');
  const created = await service.call('POST', 'vouchers.php', {
    body: { site_id: json.sites[0].id, name: 'x' },
  });
  assert.equal(created.json.site, 'Haus mit Voucher');
});

// Contract: A site has a numeric identifier (`site_id` in requests), a name …
// Contract: Lists the active sites.
test('only active sites are listed, and a change takes effect with the next request', async () => {
  const id = await service.addSite('default', 'Haus A');
  await service.addSite('default', 'Haus B');
  assert.deepEqual(await names(), ['Haus A', 'Haus B']);
  service.change('update sites set active = 0 where id = ?', id);
  assert.deepEqual(await names(), ['Haus B']);
  service.change('update sites set active = 1 where id = ?', id);
  assert.deepEqual(await names(), ['Haus A', 'Haus B']);
});

// Contract: Response body of GET /sites.php: not shown.
test('sites are sorted by name: umlauts next to their base letters, numbers by value', async () => {
  for (const name of ['Zelt', 'Haus 10', 'Ärztehaus', 'Haus 2', 'Anbau'])
    await service.addSite('default', name);
  assert.deepEqual(await names(), ['Anbau', 'Ärztehaus', 'Haus 2', 'Haus 10', 'Zelt']);
});

test('the list is empty if no site is active', async () => {
  const reply = await service.call('GET', 'sites.php');
  assert.equal(reply.text, '{"sites":[]}');
});

test('Unicode characters and slashes in names are not escaped', async () => {
  await service.addSite('default', 'Café "Süd"/Nord 🏠');
  const { text } = await service.call('GET', 'sites.php');
  assert.ok(text.includes('Café \\"Süd\\"/Nord 🏠'), text);
});

// Contract: Requires scope `read`.
test('a read key and a write key can both list the sites', async () => {
  for (const scope of ['read', 'write'] as const) {
    const key = await service.issueKey(scope);
    assert.equal((await service.call('GET', 'sites.php', { key })).status, 200);
  }
});

test('query parameters do not change the list of sites', async () => {
  await service.addSite('default', 'Haus A');
  const plain = await service.call('GET', 'sites.php');
  const asked = await service.call('GET', 'sites.php?site_id=0&limit=0&active=0&name=%00&page=2');
  assert.equal(asked.text, plain.text);
});
