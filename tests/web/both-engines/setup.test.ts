// Tests the setup of the first administrator: possible once, and only with the setup token of the latest start.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dumpRecords } from '../../support/disturb-records.ts';
import { makeFolder } from '../../support/run-gastpass.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { makeWebClient } from '../web-client.ts';

const { folder: dataDir, remove } = makeFolder();
const admin = { email: 'ada@example.org', name: 'Ada', password: 'ein gutes Passwort' };
let service: TestService;
let earlier: string;
before(async () => {
  service = await startTestService({ dataDir });
  earlier = service.service.firstStart.setupToken ?? '';
  await service.stop();
  service = await startTestService({ dataDir });
});
after(async () => {
  await service.stop();
  remove();
});

const token = () => service.service.firstStart.setupToken ?? '';

test('a start without users issues a setup token, which is not stored, and voids the previous token', async () => {
  assert.match(token(), /^(\w{5}-){3}\w{5}$/);
  assert.notEqual(token(), earlier);
  assert.equal((await makeWebClient(service).get('/login')).location, '/setup');
  assert.ok(!dumpRecords(service).includes(token()));
  const { status } = await makeWebClient(service).post('/setup', { ...admin, 'setup-token': earlier });
  assert.equal(status, 401);
});

test('invalid input is reported at its field, and the setup token stays valid', async () => {
  const bad = { 'setup-token': token(), email: 'x', name: '', password: 'kurz' };
  const { status, text } = await makeWebClient(service).post('/setup', bad);
  assert.equal(status, 422);
  for (const field of ['email', 'name', 'password']) assert.match(text, new RegExp(`id="${field}-error"`));
});

test('an address or a name that could be confused with another is refused', async () => {
  const tokenField = { 'setup-token': token() };
  for (const [field, value] of [
    ['email', '\u212Aarl@example.org'],
    ['email', 'ada@example.org\0'],
    ['name', 'Ada\0'],
    ['name', 'A\u200bda'],
  ] as const) {
    const page = await makeWebClient(service).post('/setup', { ...admin, ...tokenField, [field]: value });
    assert.equal(page.status, 422);
    assert.match(page.text, new RegExp(`id="${field}-error"`));
  }
  assert.deepEqual(service.rows('select id from users'), []);
});

test('a password that is easy to guess is refused with a reason', async () => {
  for (const [password, reason] of [
    ['passwort123', /probieren Angreifer zuerst/],
    ['Gastpass-Ada-1', /aus dem Namen, .* erraten/],
  ] as const) {
    const { status, text } = await makeWebClient(service).post('/setup', {
      ...admin,
      'setup-token': token(),
      password,
    });
    assert.equal(status, 422);
    assert.match(text, reason);
  }
});

test('parallel requests create only one administrator, who can log in', async () => {
  const inputs = ['a', 'b', 'c'].map((name) => ({ ...admin, email: `${name}@example.org` }));
  const send = async (input: typeof admin) => {
    const webClient = makeWebClient(service);
    return { webClient, page: await webClient.post('/setup', { ...input, 'setup-token': token() }) };
  };
  const all = await Promise.all(inputs.map(send));
  const [made, ...others] = all.filter(({ page }) => page.status === 303);
  assert.deepEqual(others, []);
  const door = await made?.webClient.get(made.page.location ?? '');
  assert.match(door?.text ?? '', /Das Konto ist angelegt/);
  const [user, ...more] = await service.beside.users.list();
  assert.deepEqual([user?.role, more], ['admin', []]);
  const webClient = makeWebClient(service);
  assert.equal((await webClient.login(user?.email ?? '', admin.password)).status, 303);
});

test('after the setup its page gets 404, and the next start issues no token', async () => {
  assert.equal((await makeWebClient(service).get('/setup')).status, 404);
  await service.stop();
  service = await startTestService({ dataDir });
  assert.equal(service.service.firstStart.setupToken, undefined);
});
