// Tests the public address that an administrator sets in the browser: it is stored only by a request that came in under
// it, counts from the next request on, and never redirects requests under an IP address or localhost.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeFolder } from '../../support/run-gastpass.ts';
import { requestFrom } from '../../support/slow-requests.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import { addUser, loggedIn, makeWebClient, PASSWORD, type WebClient } from '../web-client.ts';

const HOST = 'wifi.example.org';
const ADDRESS = `https://${HOST}`;
const PATH = '/settings/public-url';
const MINUTE_MS = 60_000;

const { folder: dataDir, remove } = makeFolder();
let service: TestService;
let admin: WebClient;
before(async () => {
  service = await startTestService({ dataDir, environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  await addUser(service, 'admin@example.org', 'admin');
  await addUser(service, 'desk@example.org', 'operator');
  admin = await loggedIn(service, 'admin@example.org');
});
after(async () => {
  await service.stop();
  remove();
});

/** A browser that opens the service under a name, through a proxy with TLS unless `from` is not that of the proxy. */
async function adminUnder(host: string, from = '127.0.0.1'): Promise<WebClient> {
  const client = makeWebClient(service, async (url, { method = 'GET', headers, body }) => {
    const sent = { ...Object.fromEntries(new Headers(headers)), host, 'x-forwarded-proto': 'https' };
    const form = body && { body: String(body), headers: { 'content-type': FORM, ...sent } };
    const got = await requestFrom(url, { from, method, headers: sent, ...form });
    const { 'set-cookie': cookies = [], location } = got.headers;
    const lines = [
      ...cookies.map((line) => ['set-cookie', line]),
      ...(location ? [['location', location]] : []),
    ];
    const hasNoBody = got.status === 304;
    return new Response(hasNoBody ? null : got.text, {
      status: got.status,
      headers: lines.map(([name = '', value = '']): [string, string] => [name, value]),
    });
  });
  assert.equal((await client.login('admin@example.org')).status, 303);
  return client;
}
const FORM = 'application/x-www-form-urlencoded';

const stored = async () => (await service.beside.settings.read()).publicUrl;
async function redirectOf(host: string): Promise<string | undefined> {
  const { headers } = await requestFrom(`${service.url}/login`, { headers: { host, accept: 'text/html' } });
  return headers.location;
}

test('an address is not stored by a request under another one; the page leads there', async () => {
  for (const typed of [
    ADDRESS,
    'http://wifi.example.org',
    'wifi.example.org/settings',
    'https://192.0.2.7',
  ]) {
    const { status, text } = await admin.post(PATH, { 'public-url': typed });
    assert.equal(status, 200, typed);
    assert.match(text, /Noch ist nichts gespeichert.*href="https?:\/\/[\w.]+\/settings#public-url-card"/s);
  }
  for (const typed of ['nichts Gutes', 'ftp://wifi.example.org', service.url, 'http://localhost'])
    assert.equal((await admin.post(PATH, { 'public-url': typed })).status, 422, typed);
  assert.equal(await stored(), null);
});

test('HTTPS that only an untrusted client claims does not count, and only a noted proxy is named to be trusted', async () => {
  const there = await adminUnder(HOST, '127.0.0.9');
  const withoutProxy = await there.post(PATH, { 'public-url': ADDRESS });
  assert.match(
    withoutProxy.text,
    /ohne HTTPS geöffnet\. Bitte stattdessen http:\/\/wifi\.example\.org speichern/,
  );
  assert.doesNotMatch(withoutProxy.text, /127\.0\.0\.9/);
  await requestFrom(service.url, { from: '127.0.0.9', headers: { 'x-forwarded-for': '203.0.113.9' } });
  await until(async () => (await service.beside.untrustedProxies.list()).length > 0);
  const { text } = await there.post(PATH, { 'public-url': ADDRESS });
  assert.match(
    text,
    /Nur wenn das Ihr Proxy ist.*<code>TRUSTED_PROXIES=127\.0\.0\.1,127\.0\.0\.9 npm start</s,
  );
  assert.equal(await stored(), null);
});

test('an address that is typed without a scheme gets the scheme under which the page is open', async () => {
  const plain = await adminUnder('wifi.lan:8080', '127.0.0.9');
  assert.equal((await plain.post(PATH, { 'public-url': 'wifi.lan:8080' })).location, '/settings');
  assert.equal(await stored(), 'http://wifi.lan:8080');
  assert.equal((await plain.post(PATH, { 'public-url': '' })).location, '/settings');
});

test('only an administrator who has entered the password lately may set it, with our own form', async () => {
  const there = await adminUnder(HOST);
  const fields = { 'public-url': ADDRESS };
  const desk = await loggedIn(service, 'desk@example.org');
  assert.equal((await desk.post(PATH, fields)).status, 403);
  assert.equal((await there.post(PATH, fields, { origin: 'https://evil.example' })).status, 403);
  assert.equal((await there.post(PATH, { ...fields, token: 'x' })).status, 403);
  service.clock.advance(11 * MINUTE_MS);
  assert.match((await there.post(PATH, fields)).text, /name="confirm-password"/);
  assert.equal(await stored(), null);
  const confirmed = await there.post(PATH, { ...fields, 'confirm-password': PASSWORD });
  assert.equal(confirmed.location, '/settings');
  assert.equal(await stored(), ADDRESS);
});

test('the stored address counts from the next request on, for redirects, links and findings', async () => {
  assert.equal(await redirectOf('gastpass.internal'), `${ADDRESS}/login`);
  for (const host of ['localhost', '192.0.2.7:8080', '[::1]', HOST])
    assert.equal(await redirectOf(host), undefined, host);
  admin = await loggedIn(service, 'admin@example.org');
  const invited = await admin.post('/users/add', { name: 'Ben', email: 'ben@example.org', role: 'admin' });
  assert.match(invited.text, /https:\/\/wifi\.example\.org\/invitation\/.*aria-label="QR-Code des Links"/s);
  assert.match((await admin.get('/health')).text, /https:\/\/wifi\.example\.org, im Browser festgelegt/);
  assert.match((await admin.get('/audit')).text, /öffentliche Adresse/);
  assert.deepEqual(await service.beside.readPublicUrl(), { url: ADDRESS, source: 'browser' });
});

test('the environment takes precedence, and the page says so and stores nothing', async () => {
  await service.stop();
  const environment = { PUBLIC_URL: 'https://other.example.org', TRUSTED_PROXIES: '127.0.0.1' };
  service = await startTestService({ dataDir, environment });
  assert.equal(await redirectOf(HOST), 'https://other.example.org/login');
  admin = await loggedIn(service, 'admin@example.org');
  const { text } = await admin.get('/settings');
  assert.match(text, /hat Vorrang.*<code>PUBLIC_URL=https:\/\/other\.example\.org npm start<\/code>/s);
  assert.doesNotMatch(text, /name="public-url"/);
  assert.equal((await admin.post(PATH, { 'public-url': '' })).location, '/settings#public-url-card');
  assert.equal(await stored(), ADDRESS);
});

test('under an IP address, the stored address can be removed when it no longer works', async () => {
  await service.stop();
  service = await startTestService({ dataDir });
  admin = await loggedIn(service, 'admin@example.org');
  assert.match((await admin.get('/settings')).text, new RegExp(`name="public-url"[^>]*value="${ADDRESS}"`));
  assert.equal((await admin.post(PATH, { 'public-url': '' })).location, '/settings');
  assert.equal(await stored(), null);
  assert.equal(await redirectOf('gastpass.internal'), undefined);
});
