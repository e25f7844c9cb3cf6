// Tests the settings of single sign-on: the provider with its secret, the rules, the preview, and the test that shows
// what the provider says.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../support/test-service.ts';
import { CLIENT, loginThere, setupSingleSignOn, startProvider, type TestProvider } from './oidc-provider.ts';
import { addUser, loggedIn, makeWebClient, type WebClient } from './web-client.ts';

const PATH = '/settings/single-sign-on';
let service: TestService;
let provider: TestProvider;
let admin: WebClient;
before(async () => {
  service = await startTestService();
  provider = await startProvider(service.url);
  await addUser(service, 'admin@example.org', 'admin');
  admin = await loggedIn(service, 'admin@example.org');
});
after(async () => {
  await provider.stop();
  await service.stop();
});

const read = () => service.beside.singleSignOn.read();
const form = (change: Record<string, string> = {}) => ({
  issuer: provider.issuer,
  'client-id': CLIENT.clientId,
  'client-secret': '',
  scopes: 'openid profile email groups',
  label: 'Testdienst',
  'password-form': 'shown',
  emails: 'verified',
  ...change,
});

test('the page names the redirect URI and says that nobody gets in without a rule', async () => {
  assert.match((await admin.get('/settings')).text, /href="\/settings\/single-sign-on"/);
  const { text } = await admin.get(PATH);
  assert.ok(text.includes(`<dd>${service.url}/login/oidc/callback</dd>`));
  assert.match(text, /Noch keine Regel/);
});

test('invalid input is reported at its field and nothing is saved', async () => {
  const wrong: [field: string, value: string][] = [
    ['issuer', 'http://login.example.org'],
    ['issuer', ''],
    ['client-id', ' '],
    ['scopes', 'profile'],
    ['label', 'x'.repeat(41)],
  ];
  for (const [field, value] of wrong) {
    const page = await admin.post(PATH, form({ [field]: value }));
    assert.equal(page.status, 422, `${field}: ${value}`);
    assert.ok(page.text.includes(`id="${field}-error"`), field);
  }
  assert.equal((await read()).provider, null);
});

test('the provider is saved, and the page never shows its secret', async () => {
  const saved = await admin.post(PATH, form({ 'client-secret': CLIENT.clientSecret }));
  assert.equal(saved.location, PATH);
  assert.equal((await read()).provider?.clientSecret, CLIENT.clientSecret);
  assert.ok(!(await admin.get(PATH)).text.includes('ein Geheimnis'));
});

test('the address of the description is accepted as the issuer', async () => {
  await admin.post(PATH, form({ issuer: `${provider.issuer}/.well-known/openid-configuration` }));
  assert.equal((await read()).provider?.issuer, provider.issuer);
});

test('an empty field keeps the secret, but never for another provider or client', async () => {
  await admin.post(PATH, form({ label: 'Anders' }));
  assert.equal((await read()).provider?.clientSecret, CLIENT.clientSecret);
  await admin.post(PATH, form({ issuer: 'https://attacker.example' }));
  assert.equal((await read()).provider?.clientSecret, null);
  await admin.post(PATH, form({ 'client-secret': CLIENT.clientSecret }));
  await admin.post(PATH, form({ 'client-id': 'other' }));
  assert.equal((await read()).provider?.clientSecret, null);
  await admin.post(PATH, form({ 'client-secret': CLIENT.clientSecret }));
});

test('a test shows the claims that came and what the rules make of them, and changes nothing', async () => {
  provider.loginAs({ sub: 'the subject', email: 'it@example.org', email_verified: true, groups: ['it'] });
  const users = service.rows('select id from users').length;
  const page = await loginThere(admin, service.url, `${PATH}/test`);
  assert.equal(page.status, 200, page.text);
  assert.match(page.text, /Der Anmeldedienst funktioniert/);
  assert.match(page.text, /the subject/);
  assert.match(page.text, /Keine Regel passt/);
  assert.equal(service.rows('select id from users').length, users);
  assert.equal(service.rows('select id from identities').length, 0);
  assert.equal((await admin.get(PATH)).status, 200);
});

test('a failed test shows the administrator why', async () => {
  await setupSingleSignOn(service, {
    provider: { issuer: provider.issuer, ...CLIENT, clientSecret: 'wrong', scopes: 'openid' },
  });
  const page = await loginThere(admin, service.url, `${PATH}/test`);
  assert.equal(page.status, 401);
  assert.match(page.text, /<pre>[^<]*invalid_client/);
  await admin.post(PATH, form({ 'client-secret': CLIENT.clientSecret }));
});

test('rules are added with their sites, listed and removed', async () => {
  assert.equal((await admin.post(`${PATH}/rules`, { claim: '', value: 'x' })).status, 422);
  assert.equal((await admin.post(`${PATH}/rules`, { claim: 'x'.repeat(201), value: 'x' })).status, 422);
  await admin.post(`${PATH}/rules`, { claim: 'groups', value: 'desk', role: 'operator', 'site-1': '1' });
  await admin.post(`${PATH}/rules`, { claim: 'groups', value: '<b>it</b>', role: 'admin', 'site-1': '1' });
  const { rules } = await read();
  assert.deepEqual(
    rules.map(({ value, role, siteIds }) => [value, role, siteIds]),
    [
      ['desk', 'operator', [1]],
      ['<b>it</b>', 'admin', []],
    ],
  );
  const { text } = await admin.get(PATH);
  assert.match(text, /&lt;b&gt;it/);
  assert.match(text, /Demo/);
  await admin.post(`${PATH}/rules/remove`, { rule: rules[1]?.id ?? '' });
  assert.equal((await read()).rules.length, 1);
  const subjects = service.rows("select subject from audit where action = 'single-sign-on.changed'");
  assert.match(JSON.stringify(subjects), /desk/);
  assert.doesNotMatch(JSON.stringify(subjects), /ein Geheimnis/);
});

test('the preview says what an account with given claims would get', async () => {
  const preview = async (claims: string) => (await admin.post(`${PATH}/preview`, { claims })).text;
  const desk = await preview('{"groups": ["desk"], "email": "a@example.org", "email_verified": true}');
  assert.match(desk, /groups = desk.*Rezeption.*Demo.*a@example\.org \(bestätigt\)/s);
  assert.match(await preview('{"groups": ["desk"]}'), /Keine bestätigte E-Mail-Adresse/);
  assert.match(await preview('{"groups": ["spa"]}'), /Keine Regel passt/);
  for (const wrong of ['', '[]', 'x', 'null'])
    assert.equal((await admin.post(`${PATH}/preview`, { claims: wrong })).status, 422, wrong);
});

test('removing the provider asks first and ends single sign-on', async () => {
  assert.match((await admin.get(`${PATH}/remove`)).text, /Anmeldedienst entfernen\?/);
  await admin.post(`${PATH}/remove`, {});
  assert.equal((await read()).provider, null);
  assert.equal((await makeWebClient(service).get('/login/oidc')).status, 404);
  assert.doesNotMatch((await makeWebClient(service).get('/login')).text, /login\/oidc/);
});

test('a provider from the environment that is away delays neither the start nor a login with a password', async () => {
  const other = await startTestService({
    environment: { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'gastpass', OIDC_CLIENT_SECRET: 's' },
  });
  try {
    await addUser(other, 'admin@example.org', 'admin');
    const there = await loggedIn(other, 'admin@example.org');
    const page = await there.get(PATH);
    assert.match(page.text, /Umgebungsvariablen/);
    assert.doesNotMatch(page.text, /name="issuer"/);
    // The provider cannot be changed in the browser, the other choices can.
    await there.post(PATH, form({ issuer: 'https://attacker.example', 'password-form': 'hidden' }));
    const settings = await other.beside.singleSignOn.read();
    assert.deepEqual([settings.provider?.issuer, settings.hidesPasswordForm], ['http://127.0.0.1:9', true]);
    const failed = await makeWebClient(other).get('/login/oidc');
    assert.equal(failed.status, 502);
    assert.match(failed.text, /nicht erreichbar/);
  } finally {
    await other.stop();
  }
});
