// POST /vouchers.php → 201: the response, the records, the list, the notification and the audit entry. The fields of
// the order are tested in 201-order-read.test.ts, the stored name in 201-stored-name.test.ts.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { leaving, ONE_VOUCHER, upstreamVouchers } from '../support/post-vouchers-traces.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
});
after(() => service.stop());

const create = (body: unknown, key?: string) =>
  service.call('POST', 'vouchers.php', { body, ...(key !== undefined && { key }) });
const newest = (table: string) => service.rows(`select * from ${table} order by id desc limit 1`)[0] ?? {};

// Contract: Creates a voucher.
// Contract: The response is 201.
// Contract: Response 201 body:
// Contract: success | boolean | Always true
// Contract: code | string | Voucher code
// Contract: formatted_code | string | Display form of the code
test('the response has exactly the six fields of the contract', async () => {
  const reply = await create({ site_id: 1, name: 'Zimmer 12' });
  assert.equal(reply.status, 201);
  const { code, formatted_code, ...rest } = reply.json;
  assert.match(code, /^\d{10}$/);
  assert.equal(formatted_code, `${code.slice(0, 5)}-${code.slice(5)}`);
  assert.deepEqual(rest, { success: true, site: 'Demo', max_uses: 1, expire_minutes: 480 });
});

// Contract: The service is an HTTP REST API that exchanges JSON.
test('the response is UTF-8 JSON that must not be cached, and has a unique request id', async () => {
  const [one, other] = [
    await create({ site_id: 1, name: 'Kopf' }),
    await create({ site_id: 1, name: 'Kopf' }),
  ];
  assert.equal(one.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(one.headers.get('cache-control'), 'no-store');
  assert.match(one.headers.get('x-request-id') ?? '', /\S/);
  assert.notEqual(one.headers.get('x-request-id'), other.headers.get('x-request-id'));
  assert.equal(one.headers.get('idempotent-replayed'), null);
});

// Contract: The site name is returned in the creation response as `site`.
// Contract: site | string | Name of the site
test('site is the name of the site, with Unicode characters and slashes unescaped', async () => {
  const name = 'Gästehaus "Süd/West" \u{1F3E8}';
  const siteId = await service.addSite('default', name);
  const reply = await create({ site_id: siteId, name: 'Lobby' });
  assert.equal(reply.json.site, name);
  assert.ok(reply.text.includes('Gästehaus \\"Süd/West\\" \u{1F3E8}'));
});

// Contract: Each request to the sites and vouchers endpoints carries an API …
test('the key can also be sent in X-API-Key', async () => {
  const headers = { 'x-api-key': service.keyText };
  const body = { site_id: 1, name: 'X-API-Key' };
  assert.equal((await service.call('POST', 'vouchers.php', { key: null, headers, body })).status, 201);
});

// Contract: It creates and lists wireless-network access vouchers, grouped …
// Contract: Each site is tied to an upstream network controller.
// Contract: A voucher is created on that controller and then recorded by …
// Contract: The voucher is created on the site's upstream controller under …
// Contract: The voucher is recorded with site, code, stored name, max_uses …
test('the voucher exists once on the controller and once in the records, with the same code and name', async () => {
  const reply = await leaving(service, ONE_VOUCHER, () => create({ site_id: 1, name: 'Einmal' }));
  const upstream = upstreamVouchers(service).at(-1) ?? {};
  const row = newest('vouchers');
  assert.equal(upstream.code, reply.json.code);
  assert.equal(upstream.name, '2026-01-15_Einmal');
  assert.equal(row.code, reply.json.code);
  assert.equal(row.name, '2026-01-15_Einmal');
  assert.equal(row.site_id, 1);
});

// Contract: A voucher created through the API is recorded without an owning …
// Contract: The voucher is recorded with site, code, stored name, max_uses …
// Contract: No user is attached.
test('the voucher is recorded with the controller’s voucher id and without an owning user', async () => {
  await create({ site_id: 1, name: 'Herrenlos' });
  const row = newest('vouchers');
  assert.equal(row.controller_voucher_id, upstreamVouchers(service).at(-1)?.id);
  assert.equal(row.owner_user_id, null);
});

test('the voucher is the first in the next list', async () => {
  const reply = await create({ site_id: 1, name: 'Gleich da', max_uses: 3, expire_minutes: 60 });
  const list = await service.call('GET', 'vouchers.php?site_id=1');
  assert.deepEqual(list.json.vouchers[0], {
    voucher_code: reply.json.code,
    voucher_name: '2026-01-15_Gleich da',
    max_uses: 3,
    expire_minutes: 60,
    status: 'valid',
    used_count: 0,
    created_at: '2026-01-15T11:28:51Z',
    expires_at: null,
  });
});

// Contract: name | Label of the key, used in the notification source text …
// Contract: A creation notification is sent (see Events).
// Contract: When a voucher is created through POST /vouchers.php, after the …
// Contract: Its parameters are the number 1 (count of vouchers), the site …
test('a notification for one voucher is queued, with the site’s name and with the key’s name as source', async () => {
  const siteId = await service.addSite('default', 'Haus am See');
  const key = await service.issueKey('write', 0, 'Rezeption \u{1F511}');
  await create({ site_id: siteId, name: 'Gemeldet' }, key);
  const { voucher_count, site_name, source, event_id } = newest('outbox');
  assert.deepEqual(
    { voucher_count, site_name, source },
    { voucher_count: 1, site_name: 'Haus am See', source: 'API: Rezeption \u{1F511}' },
  );
  assert.match(String(event_id), /\S/);
});

test('the audit log contains the API key, the action, the voucher and the time', async () => {
  const key = await service.issueKey('write', 0, 'Kasse');
  await create({ site_id: 1, name: 'Nachweis' }, key);
  const { actor, actor_id, action, subject, at_ms } = newest('audit');
  const keyId = (await service.beside.keys.list()).find(({ name }) => name === 'Kasse')?.id;
  assert.deepEqual(
    { actor, actor_id, action, subject, at_ms },
    {
      actor: 'API: Kasse',
      actor_id: keyId,
      action: 'voucher.created',
      subject: `voucher ${newest('vouchers').id} of site 1 (Demo): 2026-01-15_Nachweis`,
      at_ms: service.clock.nowMs(),
    },
  );
  assert.equal(newest('vouchers').actor_id, keyId);
});

// Contract: Webhook payload, event name, delivery, signing and retry behaviour …
test('the code is not in the notification, the audit log or the log', async () => {
  const reply = await create({ site_id: 1, name: 'Verschwiegen' });
  assert.ok(!JSON.stringify([newest('outbox'), newest('audit')]).includes(reply.json.code));
  assert.ok(!JSON.stringify(service.logLines).includes(reply.json.code));
});

test('a simulated site with an unknown failure mode works like any other site', async () => {
  const siteId = await service.addSite('fail:typo', 'Fast kaputt');
  assert.equal((await create({ site_id: siteId, name: 'Geht doch' })).status, 201);
});
