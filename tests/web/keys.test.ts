// Tests API keys in the web interface: created with scope, limit, sites, expiry date and note, shown once, usable at
// once, and changed and revoked with effect from the next request on.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dumpRecords } from '../support/disturb-records.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from './web-client.ts';

let service: TestService;
let admin: WebClient;
before(async () => {
  service = await startTestService();
  await addUser(service, 'admin@example.org', 'admin');
  admin = await loggedIn(service, 'admin@example.org');
});
after(() => service.stop());

async function issue(fields: Record<string, string>): Promise<{ id: string; keyText: string }> {
  const { status, text } = await admin.post('/keys', fields);
  assert.equal(status, 200);
  const keyText = /gpk_[0-9A-Za-z]{46}/.exec(text)?.[0] ?? '';
  return { id: keyText.slice(4, 12), keyText };
}
/** The row of a key in the list, as HTML. */
async function rowOf(name: string): Promise<string> {
  const { text } = await admin.get('/keys');
  const rows = text.split('<tr>').filter((row) => row.includes(`<span>${name}`));
  assert.equal(rows.length, 1);
  return rows[0] ?? '';
}
const list = (keyText: string) => service.call('GET', 'vouchers.php?site_id=1', { key: keyText });
const create = (keyText: string) =>
  service.call('POST', 'vouchers.php', { key: keyText, body: { site_id: 1, name: 'x' } });

// Contract: Keys are created by an administrator in an admin page, where …
test('an administrator creates a key with scope and limit; it is shown once and works at once', async () => {
  const { keyText } = await issue({ name: 'Buchung <b>', scope: 'read', limit: '2' });
  assert.equal((await create(keyText)).status, 403);
  assert.equal((await list(keyText)).status, 200);
  assert.equal((await list(keyText)).status, 429);
  const { text } = await admin.get('/keys');
  assert.match(text, /Buchung &lt;b&gt;/);
  assert.ok(!text.includes(keyText));
  assert.ok(!dumpRecords(service).includes(keyText));
});

test('invalid input is reported at its field, and no key is created', async () => {
  const before = (await service.beside.keys.list()).length;
  for (const [field, fields] of [
    ['name', { name: '  ', scope: 'read', limit: '0' }],
    ['name', { name: 'a\u0000b', scope: 'read', limit: '0' }],
    ['limit', { name: 'x', scope: 'read', limit: '1000001' }],
    ['limit', { name: 'x', scope: 'read', limit: '-1' }],
    ['sites', { name: 'x', sites: 'chosen' }],
    ['sites', { name: 'x', sites: 'chosen', site: '4711' }],
    ['expires', { name: 'x', expires: '31.12.2026' }],
    ['expires', { name: 'x', expires: '2026-01-14' }],
    ['note', { name: 'x', note: 'a\u0000b' }],
    ['note', { name: 'x', note: 'x'.repeat(501) }],
  ] as const) {
    const { status, text } = await admin.post('/keys', fields);
    assert.equal(status, 422);
    assert.match(text, new RegExp(`id="${field}-error"`));
  }
  assert.equal((await service.beside.keys.list()).length, before);
});

test('an invalid new limit is reported at its field, and the key stays unchanged', async () => {
  const { id } = await issue({ name: 'Terminal', scope: 'read', limit: '7' });
  const { status, text } = await admin.post(`/keys/${id}`, { scope: 'write', limit: '7,5' });
  assert.equal(status, 422);
  assert.match(text, /id="limit-error"/);
  assert.match(text, /name="limit"[^>]*value="7,5"/);
  assert.match(text, /value="write" selected/);
  const [kept] = service.rows(`select scope, rate_limit from api_keys where id = '${id}'`);
  assert.deepEqual({ ...kept }, { scope: 'read', rate_limit: 7 });
});

test('a change of scope and limit applies from the next request on', async () => {
  const { id, keyText } = await issue({ name: 'Kasse', scope: 'read', limit: '0' });
  assert.equal((await create(keyText)).status, 403);
  assert.equal((await admin.post(`/keys/${id}`, { scope: 'write', limit: '0' })).location, '/keys');
  assert.equal((await create(keyText)).status, 201);
});

test('a key is bound to the selected sites from the next request on, and never gets more sites by accident', async () => {
  const own = String(await service.addSite('default', 'Haus am See'));
  const { id, keyText } = await issue({ name: 'Gebunden', sites: 'chosen', site: own });
  const siteIds = async () => {
    const { json } = await service.call('GET', 'sites.php', { key: keyText });
    return json.sites.map((site: { id: number }) => String(site.id));
  };
  assert.deepEqual(await siteIds(), [own]);
  const page = await admin.get(`/keys/${id}`);
  assert.match(page.text, /value="chosen" checked/);
  assert.match(page.text, new RegExp(`name="site" value="${own}" checked`));

  // A form without the field, for example of a page that was open during an upgrade.
  await admin.post(`/keys/${id}`, { scope: 'write', limit: '0' });
  assert.deepEqual(await siteIds(), [own]);
  await admin.post(`/keys/${id}`, { sites: 'chosen' });
  assert.deepEqual(await siteIds(), []);
  assert.match(await rowOf('Gebunden'), /keiner/);
  await admin.post(`/keys/${id}`, { sites: 'all', site: own });
  assert.deepEqual(await siteIds(), ['1', own]);
  const audited = service.rows(
    "select subject from audit where action = 'key.changed' order by id desc limit 2",
  );
  assert.deepEqual(
    audited.map(({ subject }) => subject),
    [`${id}: {"sites":"all"}`, `${id}: {"sites":[]}`],
  );
});

test('the example for a bound key names one of its sites', async () => {
  const own = String(await service.addSite('default', 'Haus C'));
  const { text } = await admin.post('/keys', { name: 'Beispiel', sites: 'chosen', site: own });
  assert.match(text, new RegExp(`&quot;site_id&quot;:${own},`));
});

test('the list shows sites, expiry date, note and the last use with its IP address', async () => {
  const own = await service.addSite('default', 'Haus Süd');
  const { id } = await issue({
    name: 'Aushilfe',
    sites: 'chosen',
    site: String(own),
    limit: '60',
    expires: '2026-12-31',
    note: 'Kasse <1>',
  });
  service.change(
    `update api_keys set last_used_at_ms = ${service.clock.nowMs()}, last_used_ip = '192.0.2.7' where id = '${id}'`,
  );
  const shown = await rowOf('Aushilfe');
  for (const part of [
    'Haus Süd',
    'bis 31.12.2026',
    'Kasse &lt;1&gt;',
    '60 pro Minute',
    '15.01.2026,\u00a012:28',
    '192.0.2.7',
    'aktiv',
  ])
    assert.ok(shown.includes(part), `${part} is missing in ${shown}`);
  assert.match(await rowOf('Kasse'), /Alle Standorte/);
  assert.match((await admin.get(`/keys/${id}`)).text, /Erstellt am 15\.01\.2026,\u00a012:28\u00a0Uhr/);
});

test('a key that expires within 14 days is marked, and an expired key too', async () => {
  const { id, keyText } = await issue({ name: 'Bald', expires: '2026-01-28' });
  await issue({ name: 'Noch lange', expires: '2026-01-29' });
  assert.match(await rowOf('Bald'), /pill used.*läuft bald ab/s);
  assert.match(await rowOf('Noch lange'), /aktiv/);
  service.change(`update api_keys set expires_at_ms = ${service.clock.nowMs()} where id = '${id}'`);
  assert.match(await rowOf('Bald'), /pill expired.*abgelaufen/s);
  assert.equal((await list(keyText)).status, 401);

  // The day that is over may stay while something else is changed.
  const day = /name="expires"[^>]*value="([^"]*)"/.exec((await admin.get(`/keys/${id}`)).text)?.[1] ?? '';
  assert.equal((await admin.post(`/keys/${id}`, { expires: day, note: 'alt' })).location, '/keys');
  assert.equal((await list(keyText)).status, 401);
  assert.equal((await admin.post(`/keys/${id}`, { expires: '' })).location, '/keys');
  assert.equal((await list(keyText)).status, 200);
});

test('saving without a change writes no audit entry', async () => {
  const { id } = await issue({ name: 'Gleich', scope: 'read', limit: '5', note: 'x' });
  const count = () =>
    Number(service.rows("select count(*) as n from audit where action = 'key.changed'")[0]?.n);
  const before = count();
  await admin.post(`/keys/${id}`, { scope: 'read', limit: '5', sites: 'all', expires: '', note: 'x' });
  assert.equal(count(), before);
});

test('revoking asks first; then the key is refused from the next request on', async () => {
  const { id, keyText } = await issue({ name: 'Alt', scope: 'write', limit: '0' });
  assert.match((await admin.get(`/keys/${id}/revoke`)).text, /„Alt“ widerrufen/);
  assert.equal((await list(keyText)).status, 200);
  await admin.post(`/keys/${id}/revoke`, {});
  assert.equal((await list(keyText)).status, 401);
  assert.equal((await admin.get(`/keys/${id}`)).status, 404);
  const [audited] = service.rows("select actor from audit where action = 'key.revoked'");
  assert.equal(audited?.actor, 'Web: admin');
});
