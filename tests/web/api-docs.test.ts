// Tests the API documentation page: complete without JavaScript, with the URL of the request, and open or closed
// according to the settings. Also tests the API explorer, which loads all its files from the service.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Settings } from '../../src/domain/settings/settings.ts';
import { TESTER } from '../support/actors.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, makeWebClient, PASSWORD, type WebClient } from './web-client.ts';

const MAX_PAGE_BYTES = 100_000;

let service: TestService;
let nobody: WebClient;
before(async () => {
  service = await startTestService({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  await addUser(service, 'operator@example.org', 'operator');
  await addUser(service, 'admin@example.org', 'admin');
  nobody = makeWebClient(service);
});
after(() => service.stop());

const decide = (change: Pick<Settings, 'isApiPageOpen'>) =>
  service.beside.settings.change(change, { actor: TESTER, atMs: service.clock.nowMs() });

describe('the API documentation page', () => {
  for (const language of ['de', 'en'])
    test(`describes everything in the OpenAPI document, in ${language}, in less than 100 kB`, async () => {
      const { status, text } = await nobody.get('/api-docs', { 'accept-language': language });
      assert.equal(status, 200);
      assert.ok(Buffer.byteLength(text) < MAX_PAGE_BYTES);
      const { json: document } = await service.call('GET', 'openapi.php', { key: null });
      const cardOf = (method: string, path: string) =>
        text.split('<section').find((card) => card.includes(`<h2><code>${method} ${path}</code></h2>`)) ?? '';
      const { json: extra } = await service.call('GET', 'openapi-extra.php', { key: null });
      for (const [path, method, { parameters = [], responses }] of [
        ...operationsOf(document),
        ...operationsOf(extra),
      ]) {
        const card = cardOf(method, path);
        for (const { name } of parameters) assert.ok(card.includes(`<code>${name}</code>`), name);
        for (const status of Object.keys(responses))
          assert.ok(card.includes(`<code>${status}</code>`), status);
      }
      const order = cardOf('POST', '/vouchers.php');
      for (const name of ['site_id', 'name', 'max_uses', 'expire_minutes', 'qos.down', 'qos.quota_mb'])
        assert.ok(order.includes(`<code>${name}</code>`), name);
      assert.match(cardOf('GET', '/vouchers.php'), /<code>vouchers\[\]\.status<\/code>/);
      for (const told of [
        'Idempotency-Key',
        'RateLimit',
        'ETag',
        'idempotency_in_progress',
        'upstream_error',
      ])
        assert.ok(text.includes(told), told);
    });

  test('says the words of the other pages, not those of the OpenAPI documents', async () => {
    const { text } = await nobody.get('/api-docs', { 'accept-language': 'de' });
    assert.doesNotMatch(text.replaceAll(/<[^>]*>/g, ''), /Scope|Controller|\bSites?\b/);
    assert.match(text, /Nötig ist das Recht zum Lesen \(<code>read<\/code>\)/);
  });

  test('shows the base URL of the request, also behind an HTTPS proxy', async () => {
    assert.ok(
      (await nobody.get('/api-docs')).text.includes(`<pre tabindex="0"><code>${service.api}</code></pre>`),
    );
    const { text } = await nobody.get('/api-docs', { 'x-forwarded-proto': 'https' });
    const address = service.api.replace('http:', 'https:');
    assert.ok(text.includes(`<pre tabindex="0"><code>${address}</code></pre>`));
    assert.ok(text.includes(`BASE=&#39;${address}&#39;`));
  });

  test('shows only a placeholder for the API key, also to an administrator', async () => {
    for (const webClient of [nobody, await loggedIn(service, 'admin@example.org')]) {
      const { text } = await webClient.get('/api-docs');
      for (const [key] of text.matchAll(/gpk_\w*/g)) assert.equal(key, 'gpk_YOUR_KEY');
    }
  });

  test('redirects to the login and back if it is closed, and the login page does not link to it', async () => {
    assert.match((await nobody.get('/login')).text, /href="\/api-docs"/);
    await decide({ isApiPageOpen: false });
    assert.equal((await nobody.get('/api-docs')).location, '/login?next=%2Fapi-docs');
    assert.doesNotMatch((await nobody.get('/login')).text, /href="\/api-docs"/);
    const operator = makeWebClient(service);
    const entered = await operator.post('/login', {
      email: 'operator@example.org',
      password: PASSWORD,
      next: '/api-docs',
    });
    assert.equal(entered.location, '/api-docs');
    assert.equal((await operator.get('/api-docs')).status, 200);
    await decide({ isApiPageOpen: true });
  });

  test('counts as closed while the settings cannot be read', async () => {
    await decide({ isApiPageOpen: true });
    const [settings] = service.rows("select value from settings where name = 'house'");
    service.change("update settings set value = '{' where name = 'house'");
    assert.match((await nobody.get('/api-docs')).location ?? '', /^\/login/);
    service.change("update settings set value = ? where name = 'house'", String(settings?.value));
    assert.equal((await nobody.get('/api-docs')).status, 200);
  });
});

describe('the API explorer', () => {
  test('is the only page whose scripts may call the service', async () => {
    const policyOf = async (path: string) =>
      (await nobody.get(path)).headers.get('content-security-policy') ?? '';
    assert.match(await policyOf('/api-docs/explore'), /; connect-src 'self'$/);
    for (const path of ['/api-docs', '/login']) assert.doesNotMatch(await policyOf(path), /connect-src/);
    assert.doesNotMatch(await policyOf('/api-docs/explore'), /unsafe|https?:/);
  });

  test('loads the renderer from the service, under a versioned URL that browsers may cache forever', async () => {
    const { text } = await nobody.get('/api-docs/explore');
    const paths = text.match(/\/assets\/swagger-ui[\w.-]*\.(js|css)/g) ?? [];
    assert.equal(paths.length, 2);
    for (const path of paths) {
      const file = path.replace('/assets/', '').replace(/-[\d.]+\./, '.');
      const original = readFileSync(new URL(import.meta.resolve(`swagger-ui-dist/${file}`)));
      const sent = await fetch(service.url + path);
      assert.match(sent.headers.get('cache-control') ?? '', /max-age=31536000, immutable/);
      assert.deepEqual(Buffer.from(await sent.arrayBuffer()), original);
      assert.equal((await nobody.get(path.replace(/-[\d.]+\./, '-0.0.0.'))).status, 404);
    }
  });

  test('links to the API documentation page if JavaScript is disabled', async () => {
    const { text } = await nobody.get('/api-docs/explore');
    assert.match(text, /<noscript>.*JavaScript/s);
    assert.match(text, /href="\/api-docs"/);
  });
});

interface Described {
  parameters?: { name: string }[];
  responses: Record<string, unknown>;
}

function operationsOf(document: { paths: Record<string, Record<string, Described>> }) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): [string, string, Described] => [
      path,
      method.toUpperCase(),
      described,
    ]),
  );
}
