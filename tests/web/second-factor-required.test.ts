// Tests a second factor that an administrator requires, and a second factor that an administrator removes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Settings } from '../../src/kernel/settings/settings.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { enrol, SETUP } from './enrolled.ts';
import { addUser, loggedIn, makeWebClient, type WebClient } from './web-client.ts';

let service: TestService;
let anna: WebClient;
let desk: WebClient;
before(async () => {
  service = await startTestService();
  await addUser(service, 'anna@example.org', 'admin');
  await addUser(service, 'desk@example.org', 'operator');
  anna = await loggedIn(service, 'anna@example.org');
  desk = await loggedIn(service, 'desk@example.org');
});
after(() => service.stop());

const require = (required: Settings['secondFactorFor']) => anna.post('/second-factor', { required });
const lastEntry = () => ({ ...service.rows('select * from audit order by id desc limit 1')[0] });

test('a user without the required second factor can only set it up, also in an open session', async () => {
  assert.equal((await require('admins')).location, '/users');
  assert.partialDeepStrictEqual(lastEntry(), { actor: 'Web: anna', action: 'settings.changed' });
  assert.equal((await desk.get('/')).status, 200, 'operators need no second factor');
  assert.equal((await anna.get('/')).location, SETUP);
  assert.equal((await anna.get('/users?x=1')).location, `${SETUP}?next=%2Fusers%3Fx%3D1`);
  for (const path of ['/account', '/keys', '/account/second-factor/codes', '/account/second-factor/off'])
    assert.equal((await anna.get(path)).location, `${SETUP}?next=${encodeURIComponent(path)}`);
  const vouchers = service.rows('select count(*) as n from vouchers')[0]?.n;
  assert.equal((await anna.post('/vouchers', { site: '1', name: 'Zimmer 12' })).location, SETUP);
  assert.equal(service.rows('select count(*) as n from vouchers')[0]?.n, vouchers);

  const again = await loggedIn(service, 'anna@example.org');
  assert.equal((await again.get('/')).location, SETUP, 'right after logging in');
  assert.equal((await again.post('/language', { language: 'en', next: SETUP })).location, SETUP);
  const page = await again.get(SETUP);
  assert.match(page.text, /is required for this account/);
  assert.doesNotMatch(page.text, /<nav/);
  assert.equal((await again.post('/logout', {})).location, '/login');
});

test('after the setup every page is available, and a required second factor cannot be turned off', async () => {
  await enrol(service, anna);
  assert.equal((await anna.get('/users')).status, 200);
  assert.doesNotMatch((await anna.get('/account')).text, /second-factor\/off/);
  assert.equal((await anna.get('/account/second-factor/off')).status, 409);
  const refused = await anna.post('/account/second-factor/off', { code: '000000' });
  assert.equal(refused.status, 409);

  await require('everyone');
  assert.equal((await desk.get('/')).location, SETUP);
  await require('nobody');
  assert.equal((await desk.get('/')).status, 200);
  const entries = service.rows('select count(*) as n from audit')[0]?.n;
  for (const input of ['nobody', 'somebody']) await anna.post('/second-factor', { required: input });
  assert.equal(
    service.rows('select count(*) as n from audit')[0]?.n,
    entries,
    'an unchanged or invalid value writes no audit entry',
  );
});

test('the user list shows second factors; removing one asks first and ends no session', async () => {
  const email = 'lost@example.org';
  const id = await addUser(service, email, 'operator');
  const lost = await loggedIn(service, email);
  await enrol(service, lost);
  const cells = (await anna.get('/users')).text.matchAll(
    /data-label="Zweiter Faktor">(?:<[^>]+>)?(ja|nein)/g,
  );
  assert.deepEqual([...cells].map(([, cell]) => cell).toSorted(), ['ja', 'ja', 'nein']);

  const path = `/users/${id}/second-factor`;
  assert.match((await anna.get(`/users/${id}`)).text, new RegExp(path));
  assert.match((await anna.get(path)).text, /Zweiten Faktor von lost entfernen\?/);
  assert.match(
    (await makeWebClient(service).login(email)).location ?? '',
    /^\/login\/code/,
    'the confirmation page changes nothing',
  );
  assert.equal((await anna.post(path, {})).location, `/users/${id}`);
  assert.partialDeepStrictEqual(lastEntry(), {
    actor: 'Web: anna',
    action: 'user.second-factor-removed',
    subject: `user ${id} (${email})`,
  });
  assert.equal((await lost.get('/account')).status, 200);
  assert.equal((await makeWebClient(service).login(email)).location, '/');
  assert.doesNotMatch((await anna.get(`/users/${id}`)).text, new RegExp(path));
  const [self] = service.rows("select id from users where email = 'anna@example.org'");
  assert.equal(
    (await anna.post(`/users/${self?.id}/second-factor`, {})).status,
    409,
    'administrators cannot remove their own here',
  );
});

test('a required second factor does not affect the API', async () => {
  await require('everyone');
  const body = { site_id: 1, name: 'Zimmer 12' };
  assert.equal((await service.call('POST', 'vouchers.php', { body })).status, 201);
});
