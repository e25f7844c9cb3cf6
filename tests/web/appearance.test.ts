// Tests the theme of a device, and the manifest with which a browser puts the service on a home screen.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TESTER } from '../support/actors.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, makeWebClient, type WebClient } from './web-client.ts';

let service: TestService;
let operator: WebClient;
before(async () => {
  service = await startTestService();
  await addUser(service, 'theke@example.org', 'operator');
  operator = await loggedIn(service, 'theke@example.org');
});
after(() => service.stop());

const coloursOf = (text: string) =>
  [...text.matchAll(/<meta name="theme-color" content="(#\w+)"/g)].map(([, colour]) => colour);

test('the theme is chosen per device, is part of every page, and returns to the page', async () => {
  const before = await operator.get('/vouchers');
  assert.match(before.text, /<html lang="de">/);
  assert.equal(coloursOf(before.text).length, 2);
  for (const theme of ['dark', 'light'] as const) {
    const { location, headers } = await operator.post('/theme', { theme, next: '/vouchers?state=unused' });
    assert.equal(location, '/vouchers?state=unused');
    assert.match(
      headers.get('set-cookie') ?? '',
      new RegExp(`theme=${theme}; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax`),
    );
    const { text } = await operator.get('/account');
    assert.match(text, new RegExp(`<html lang="de" data-theme="${theme}">`));
    assert.equal(text.match(new RegExp(`value="${theme}" aria-pressed="true"`, 'g'))?.length, 2);
    assert.equal(coloursOf(text).length, 1);
  }
  const other = await loggedIn(service, 'theke@example.org');
  assert.doesNotMatch((await other.get('/vouchers')).text, /data-theme/);
  await operator.post('/theme', { theme: 'neon' });
  assert.doesNotMatch((await operator.get('/vouchers')).text, /data-theme/);
});

test('without a session the theme of the device applies too', async () => {
  const stranger = makeWebClient(service);
  await stranger.post('/theme', { theme: 'dark', next: '/login' });
  assert.match((await stranger.get('/login')).text, /data-theme="dark"/);
});

test('a browser can put the service on the home screen: manifest and icons have the right types', async () => {
  const title = 'Haus "Süd" </script>';
  await service.beside.settings.change({ title }, { actor: TESTER, atMs: service.clock.nowMs() });
  const page = await makeWebClient(service).get('/login');
  const path = /<link rel="manifest" href="([^"]+)"/.exec(page.text)?.[1] ?? '';
  assert.match(page.headers.get('content-security-policy') ?? '', /manifest-src 'self'/);
  const response = await makeWebClient(service).get(path);
  assert.equal(response.headers.get('content-type'), 'application/manifest+json; charset=utf-8');
  const manifest = JSON.parse(response.text);
  assert.partialDeepStrictEqual(manifest, { name: title, start_url: '/', scope: '/', display: 'standalone' });
  const apple = /<link rel="apple-touch-icon" href="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const icons = [...manifest.icons, { src: apple, type: 'image/png', sizes: '180x180' }];
  assert.ok(icons.some(({ purpose }) => purpose === 'maskable'));
  for (const { src, type, sizes } of icons) {
    const icon = await fetch(service.url + src);
    assert.equal(icon.headers.get('content-type'), type, src);
    if (type !== 'image/png') continue;
    const bytes = Buffer.from(await icon.arrayBuffer());
    assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes, src);
  }
});
