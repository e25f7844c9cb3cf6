// Tests the first steps that the home page shows to administrators, and the marks of the demo.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../src/kernel/ids.ts';
import { DEMO_KEY_NAME } from '../../src/kernel/keys/key-records.ts';
import { FIRST_SLIP } from '../../src/kernel/slips/slip.ts';
import { TESTER } from '../support/actors.ts';
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

const home = async (webClient = admin) => (await webClient.get('/')).text;
const openSteps = async () =>
  [...(await home()).matchAll(/<li class="step(?: next)?">.*?<\/svg>(.*?)<\/li>/gs)].map(
    ([, step = '']) => /<(?:strong|a|button)[^>]*>(.*?)</.exec(step)?.[1] ?? step,
  );
const change = (sql: string) => service.change(sql);
const DEMO = /Demo – ohne WLAN/;

test('a new installation shows every step, with a link to it', async () => {
  assert.deepEqual(await openSteps(), [
    'Konsole verbinden',
    'WLAN-Name und Zettel',
    'Erster Voucher',
    'Jemanden einladen',
    'Demo deaktivieren',
  ]);
  const text = await home();
  assert.match(text, /class="step next">.*?UniFi-Konsole.*?href="\/sites\/new">Verbinden/s);
  assert.match(text, /href="\/users\/add">Jemanden einladen</);
  assert.match(text, /href="\/sites\/1\/deactivate">Demo deaktivieren</);
});

test('deactivating the demo offers to revoke the key of the first start, ticked unless the key was used', async () => {
  const question = async (language = 'de') =>
    (await admin.get('/sites/1/deactivate', { 'accept-language': language })).text;
  const keyIsRevoked = () =>
    service.rows("select revoked_at_ms from api_keys where name = 'Demo'")[0]?.revoked_at_ms !== null;
  await service.issueKey('write', 0, DEMO_KEY_NAME);
  const activate = () => change('update sites set active = 1 where id = 1');
  assert.match(await question(), /name="revoke-key"[^>]* checked>.*Er wurde noch nie benutzt\./s);
  change(
    "update api_keys set last_used_at_ms = 1763000000000, last_used_ip = '192.0.2.7' where name = 'Demo'",
  );
  assert.match(await question(), /Zuletzt benutzt: \d\d\.\d\d\.\d{4},\s\d\d:\d\d\sUhr von 192\.0\.2\.7\./);
  assert.doesNotMatch(await question(), /name="revoke-key"[^>]* checked/);
  assert.match(await question('en'), /Revoke the API key “Demo”, too.*Last used: .* from 192\.0\.2\.7\./s);

  await admin.post('/sites/1/deactivate', {});
  assert.ok(!keyIsRevoked(), 'not wanted');
  activate();
  const other = await service.addSite('default', 'Haus C');
  change(`update sites set controller_kind = 'unifi' where id = ${other}`);
  assert.doesNotMatch((await admin.get(`/sites/${other}/deactivate`)).text, /revoke-key/);
  await admin.post(`/sites/${other}/deactivate`, { 'revoke-key': '1' });
  assert.ok(!keyIsRevoked(), 'not a demo');
  change(`delete from sites where id = ${other}`);

  await admin.post('/sites/1/deactivate', { 'revoke-key': '1' });
  assert.ok(keyIsRevoked());
  const [entry] = service.rows('select action, actor from audit order by id desc limit 1');
  assert.deepEqual({ ...entry }, { action: 'key.revoked', actor: 'Web: admin' });
  assert.match((await admin.get('/sites/1')).text, /der API-Schlüssel vom ersten Start widerrufen\./);
  activate();
  assert.doesNotMatch(await question(), /revoke-key/);
});

test('vouchers of the demo say so wherever they are shown', async () => {
  const { location } = await admin.post('/vouchers', { site: '1', name: 'Probe' });
  assert.match((await admin.get(location ?? '')).text, DEMO);
  const [row] = service.rows('select id from vouchers');
  assert.match((await admin.get(`/vouchers/${row?.id}`)).text, DEMO);
  for (const path of ['/', '/vouchers'])
    assert.match((await admin.get(path)).text, /<span class="(sub|pill demo)">Demo<\/span>/, path);
});

test('steps disappear as they are done; the form no longer preselects the demo', async () => {
  const real = asSiteId(await service.addSite('default', 'Haus B'));
  change(`update sites set controller_kind = 'unifi' where id = ${real}`);
  assert.match(await home(), new RegExp(`<option value="${real}" selected[^>]*>Haus B</option>`));
  assert.doesNotMatch((await openSteps()).join(), /Konsole/);
  assert.match(await home(), new RegExp(`href="/sites/${real}/slip">Gestalten`));
  const audit = { actor: TESTER, atMs: service.clock.nowMs() };
  await service.beside.slips.save(real, { ...FIRST_SLIP, wifiName: 'Haus B Gäste' }, audit);
  await addUser(service, 'theke@example.org', 'operator');
  change(`update vouchers set site_id = ${real}`);
  assert.deepEqual(await openSteps(), ['Demo deaktivieren']);
  await admin.post('/sites/1/deactivate', {});
  assert.doesNotMatch(await home(), /Erste Schritte/);
});

test('operators do not see the steps, and administrators can hide them', async () => {
  change('update sites set active = 1');
  assert.match(await home(), /Erste Schritte/);
  assert.doesNotMatch(await home(await loggedIn(service, 'theke@example.org')), /Erste Schritte/);
  assert.equal((await admin.post('/first-steps/hide', {})).location, '/');
  assert.doesNotMatch(await home(), /Erste Schritte/);
});

test('without a site, an administrator gets a button and an operator is told whom to ask', async () => {
  change('update sites set active = 0');
  assert.match(await home(), /href="\/sites\/new">Standort einrichten/);
  const text = await home(await loggedIn(service, 'theke@example.org'));
  assert.match(text, /kein Standort zugeordnet. Bitte die Verwaltung informieren/);
  assert.doesNotMatch(text, /Standort einrichten/);
});
