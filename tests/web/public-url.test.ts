// Tests PUBLIC_URL: pages under another host name redirect to it, everything else answers under any name, and pages
// show it as the address of the API.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { requestFrom } from '../support/slow-requests.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, makeWebClient } from './web-client.ts';

const PUBLIC_URL = 'https://wifi.example.org';

let service: TestService;
before(async () => {
  service = await startTestService({ environment: { PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1' } });
  await addUser(service, 'admin@example.org', 'admin');
});
after(() => service.stop());

function ask(host: string, path: string, method = 'GET', headers: Record<string, string> = {}) {
  return requestFrom(service.url + path, { method, headers: { host, accept: 'text/html', ...headers } });
}

test('a page under another host name redirects to the same page under PUBLIC_URL', async () => {
  for (const [host, path] of [
    ['gastpass.internal:8080', '/login?next=%2Fvouchers'],
    ['wifi.example.com', '/'],
    ['wifi.example.org.evil.example', '/users/7'],
    ['1.2.3.4.example', '//evil.example/x'],
  ] as const)
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await ask(host, path, method);
      assert.deepEqual([status, headers.location], [308, PUBLIC_URL + path], `${method} ${host}`);
      assert.equal(headers['cache-control'], 'no-store');
    }
});

test('pages under PUBLIC_URL, localhost and IP addresses do not redirect', async () => {
  for (const host of [
    'wifi.example.org',
    'WIFI.example.org:443',
    'wifi.example.org:8080',
    'wifi.example.org.',
    'localhost:8080',
    'gastpass.localhost',
    '192.168.1.5:8080',
    '[::1]:8080',
  ])
    assert.equal((await ask(host, '/login')).status, 200, host);
});

test('a form that is submitted under another host name is answered there', async () => {
  const { status, headers } = await ask('gastpass.internal', '/login', 'POST');
  assert.deepEqual([status, headers.location], [403, undefined]);
});

test('the API, its description, probes, assets and the paths of printers answer under any host name', async () => {
  const host = 'gastpass.internal';
  const { keyText } = service;
  const asset = /href="(\/assets\/style[^"]+)"/.exec((await ask('localhost', '/login')).text)?.[1] ?? '';
  assert.notEqual(asset, '');
  for (const path of ['/api/sites.php', '/api/openapi.php', '/healthz', '/readyz', '/metrics', asset])
    assert.equal((await ask(host, path, 'GET', { 'x-api-key': keyText })).status, 200, path);
  for (const path of ['/api/unknown.php', '/print/epson/unknown'])
    assert.equal((await ask(host, path, 'POST')).status, 404);
  const { servers } = JSON.parse((await ask(host, '/api/openapi.php')).text);
  assert.equal(servers[0].url, `http://${host}/api`);
});

test('pages show the API under PUBLIC_URL', async () => {
  assert.match((await makeWebClient(service).get('/api-docs')).text, /https:\/\/wifi\.example\.org\/api/);
  const admin = await loggedIn(service, 'admin@example.org');
  const page = await admin.post('/keys', { name: 'Kasse', scope: 'write', rateLimit: '60' });
  const shown = page.location ? await admin.get(page.location) : page;
  assert.match(shown.text, /curl -X POST https:\/\/wifi\.example\.org\/api\/vouchers\.php/);
});

test('links that users pass on and the address for an identity provider use PUBLIC_URL', async () => {
  const admin = await loggedIn(service, 'admin@example.org');
  const fields = { name: 'Ben', email: 'ben@example.org', role: 'admin' };
  const { text } = await admin.post('/users/add', fields);
  assert.match(text, /https:\/\/wifi\.example\.org\/invitation\/[\w-]+</);
  assert.match(text, /aria-label="QR-Code des Links"/);
  const settings = await admin.get('/settings/single-sign-on');
  assert.match(settings.text, /https:\/\/wifi\.example\.org\/login\/oidc\/callback</);
});

test('a login at the provider begins under PUBLIC_URL, because the provider sends the browser back there', async () => {
  const { status, headers } = await ask('127.0.0.1', '/login/oidc?next=%2Fkeys');
  assert.deepEqual([status, headers.location], [303, `${PUBLIC_URL}/login/oidc?next=%2Fkeys`]);
  const https = { 'x-forwarded-proto': 'https' };
  for (const host of ['wifi.example.org', 'WIFI.example.org:443']) {
    const there = await ask(host, '/login/oidc', 'GET', https);
    assert.deepEqual([there.status, there.headers.location], [404, undefined], host);
  }
});
