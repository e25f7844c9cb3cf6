// Tests the API documentation page: complete without JavaScript, with the URL of the request, and open or closed
// according to the settings. Also tests the API explorer, which loads all its files from the service.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { PROBLEM_TEXTS } from '../../src/features/api-docs/problem-texts.ts';
import { PROBLEM_KINDS, type ProblemKind } from '../../src/features/api-v1/problem-kinds.ts';
import type { Settings } from '../../src/kernel/settings/settings.ts';
import { TESTER } from '../support/actors.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, makeWebClient, PASSWORD, type WebClient } from './web-client.ts';

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
    test(`describes everything in both OpenAPI documents, in ${language}`, async () => {
      const described = [
        { page: '/api-docs', document: 'v1/openapi.json' },
        { page: '/api-docs/contract', document: 'openapi.php' },
      ];
      for (const { page, document } of described) {
        const { status, text } = await nobody.get(page, { 'accept-language': language });
        assert.equal(status, 200);
        const { json } = await service.call('GET', document, { key: null });
        for (const [path, method, { parameters = [], responses }] of operationsOf(json)) {
          const card = cardOf(text, `${method} ${path}`);
          for (const { name } of parameters) assert.ok(card.includes(`<code>${name}</code>`), name);
          for (const status of Object.keys(responses).filter(
            (one) => document === 'openapi.php' || one < '400',
          ))
            assert.ok(card.includes(`<code>${status}</code>`), status);
        }
      }
    });

  test('shows the second API first: what an order may contain, its objects and its problems', async () => {
    const { text } = await nobody.get('/api-docs', { 'accept-language': 'en' });
    assert.ok(text.includes('GET /vouchers<'));
    assert.ok(text.includes('href="/api-docs/contract"'));
    const order = cardOf(text, 'POST /vouchers');
    assert.match(order, /<code>nights<\/code><\/td>\s*<td data-label="Type">integer \(1 to 365\) or null</);
    assert.match(order, /href="\/api-docs\/problems#creation-failed"><code>502 creation-failed</);
    assert.doesNotMatch(order, /#rate-limited/, 'every call can have it');
    assert.match(text, /href="\/api-docs\/problems#rate-limited"><code>429 rate-limited</);
    assert.match(cardOf(text, 'GET /vouchers/{id}'), /"event": "created"/);
    assert.match(cardOf(text, 'Voucher'), /<code>reference<\/code>/);
    assert.match(cardOf(text, 'VoucherWithHistory'), /href="#Voucher".*<code>history\[\]\.at<\/code>/s);
    assert.match(cardOf(text, 'Key'), /&quot;all&quot; or array \(integer\)/);
  });

  test('explains every kind of problem at the address that problems name', async () => {
    const { text } = await nobody.get('/api-docs/problems');
    for (const [kind, [status, title]] of Object.entries(PROBLEM_KINDS)) {
      const section = text.split('<section').find((one) => one.includes(` id="${kind}"`)) ?? '';
      assert.ok(section.includes(`<h2>${title}</h2>`), kind);
      assert.ok(section.includes(`<code>${status} ${kind}</code>`), kind);
    }
    const { json } = await service.call('GET', 'v1/sites', { key: null });
    assert.equal(json.type, '/api-docs/problems#unauthorized');
    const { json: document } = await service.call('GET', 'v1/openapi.json', { key: null });
    const examples: [ProblemKind, string][] = [
      ...JSON.stringify(document).matchAll(
        /"([a-z-]+)":\{"value":\{"type":"\/api-docs[^{}]*?"retry":"([a-z-]+)"/g,
      ),
    ].map(([, kind = '', retry = '']) => [kind as ProblemKind, retry]);
    assert.ok(examples.length > 50);
    for (const [kind, retry] of examples)
      assert.ok(['varies', retry].includes(PROBLEM_TEXTS[kind].retry), kind);
  });

  test('the contract has its fields, and says which errors to repeat as its headers do', async () => {
    const { text } = await nobody.get('/api-docs/contract', { 'accept-language': 'en' });
    const order = cardOf(text, 'POST /vouchers.php');
    for (const name of ['site_id', 'name', 'max_uses', 'expire_minutes', 'qos.down', 'qos.quota_mb'])
      assert.ok(order.includes(`<code>${name}</code>`), name);
    assert.match(cardOf(text, 'GET /vouchers.php'), /<code>vouchers\[\]\.status<\/code>/);
    const again = (error: string) =>
      new RegExp(`<code>${error}</code>.*?class="retry"[^>]*><span>(.*?)</span>`, 's').exec(text)?.[1];
    assert.deepEqual(
      ['forbidden', 'request_timeout', 'idempotency_in_progress', 'server_error', 'upstream_error'].map(
        again,
      ),
      [
        'no',
        'yes',
        'after <code>Retry-After</code>',
        'as <code>Gastpass-Retry</code> says',
        'with the same <code>Idempotency-Key</code>',
      ],
    );
  });

  test('says the words of the other pages, not those of the OpenAPI document', async () => {
    const { text } = await nobody.get('/api-docs/contract', { 'accept-language': 'de' });
    assert.doesNotMatch(text.replaceAll(/<[^>]*>/g, ''), /Scope|Controller|\bSites?\b/);
    assert.match(text, /Nötig ist das Recht zum Lesen \(<code>read<\/code>\)/);
  });

  test('shows the base URL of the request, also behind an HTTPS proxy', async () => {
    const shown = `<pre tabindex="0"><code>${service.api}/v1</code></pre>`;
    assert.ok((await nobody.get('/api-docs')).text.includes(shown));
    const address = service.api.replace('http:', 'https:');
    const behindProxy = async (path: string) =>
      (await nobody.get(path, { 'x-forwarded-proto': 'https' })).text;
    assert.ok(
      (await behindProxy('/api-docs/contract')).includes(`<pre tabindex="0"><code>${address}</code></pre>`),
    );
    assert.ok((await behindProxy('/api-docs/examples')).includes(`BASE=&#39;${address}&#39;`));
  });

  test('shows only a placeholder for the API key, also to an administrator', async () => {
    for (const webClient of [nobody, await loggedIn(service, 'admin@example.org')]) {
      const { text } = await webClient.get('/api-docs/examples');
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

/** The part of a page below this heading. */
function cardOf(text: string, heading: string): string {
  return text.split('<section').find((card) => card.includes(`<h2><code>${heading}</code></h2>`)) ?? '';
}

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
