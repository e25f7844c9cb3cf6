// Tests API keys in the web interface: created with scope and limit, shown once, usable at once, and changed and
// revoked with effect from the next request on.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dumpRecords } from '../support/disturb-records.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, signedIn, type WebClient } from './web-client.ts';

let service: TestService;
let admin: WebClient;
before(async () => {
  service = await startTestService();
  await addUser(service, 'admin@example.org', 'admin');
  admin = await signedIn(service, 'admin@example.org');
});
after(() => service.stop());

async function issue(fields: Record<string, string>): Promise<{ id: string; keyText: string }> {
  const { status, text } = await admin.post('/keys', fields);
  assert.equal(status, 200);
  const keyText = /gpk_[0-9A-Za-z]{46}/.exec(text)?.[0] ?? '';
  return { id: keyText.slice(4, 12), keyText };
}
const list = (keyText: string) => service.call('GET', 'vouchers.php?site_id=1', { key: keyText });
const create = (keyText: string) =>
  service.call('POST', 'vouchers.php', { key: keyText, body: { site_id: 1, name: 'x' } });

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
