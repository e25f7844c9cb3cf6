// Tests forms whose response shows a secret: reloading the response creates no second secret.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { addUser, loggedIn, makeWebClient, type WebClient } from '../web-client.ts';

let service: TestService;
let admin: WebClient;
before(async () => {
  service = await startTestService();
  await addUser(service, 'admin@example.org', 'admin');
  admin = await loggedIn(service, 'admin@example.org');
});
after(() => service.stop());

const onceOf = (text: string) => /name="once" value="([^"]+)"/.exec(text)?.[1] ?? '';
const countKeys = async () => (await service.beside.keys.list()).length;

test('reloading the page of a new key creates no second key and says so', async () => {
  const before = await countKeys();
  const fields = {
    name: 'Buchung',
    scope: 'read',
    limit: '0',
    once: onceOf((await admin.get('/keys')).text),
  };
  const [one, other] = await Promise.all([admin.post('/keys', fields), admin.post('/keys', fields)]);
  assert.deepEqual([one.status, other.status].sort(), [200, 409]);
  const again = await admin.post('/keys', fields);
  assert.equal(again.status, 409);
  assert.match(again.text, /schon abgesendet/);
  assert.equal(await countKeys(), before + 1);
});

test('a form that was refused can be sent again', async () => {
  const before = await countKeys();
  const once = onceOf((await admin.get('/keys')).text);
  assert.ok(once);
  assert.equal((await admin.post('/keys', { name: '', scope: 'read', limit: '0', once })).status, 422);
  assert.equal((await admin.post('/keys', { name: 'x', scope: 'read', limit: '0', once })).status, 200);
  assert.equal(await countKeys(), before + 1);
});

test('every form whose response shows a secret has a one-time form token', async () => {
  const webhook = await admin.post('/webhooks/add', { url: 'https://example.org/hook', format: 'generic' });
  const id = /\/webhooks\/(\d+)/.exec(webhook.text + webhook.location)?.[1];
  const operator = await addUser(service, 'desk@example.org', 'operator');
  const forms = [
    '/keys',
    '/users/add',
    '/webhooks/add',
    `/users/${operator}/password`,
    `/webhooks/${id}/rotate`,
  ];
  for (const path of forms) assert.ok(onceOf((await admin.get(path)).text), path);
});

test('the one-time form token of an anonymous visitor is not stored', async () => {
  const before = service.rows('select count(*) as count from sent_forms')[0]?.count;
  const stranger = makeWebClient(service);
  assert.equal((await stranger.post('/language', { language: 'en', once: 'x', next: '/€' })).location, '/');
  assert.equal(service.rows('select count(*) as count from sent_forms')[0]?.count, before);
});
