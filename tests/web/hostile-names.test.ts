// Tests that every page shows names and texts as text: no name of a user, key, site, profile, voucher, slip or webhook
// target, no value in a URL and no form input becomes markup.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../support/test-service.ts';
import { EVIL, giveHostileNames, pathsOf } from './hostile-things.ts';
import { addUser, loggedIn, makeWebClient, type Page, type WebClient } from './web-client.ts';

const ESCAPED = '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;';
/** A page contains one of these strings if a character is not escaped. */
const RAW = ['<script>alert', 'alert(1)</script', 'script&gt;"', `;"'`, `'&<`, '&quot;&#39;&\u202e', `"'&`];

let service: TestService;
let admin: WebClient;
let paths: string[];
before(async () => {
  service = await startTestService();
  await addUser(service, 'admin@example.org', 'admin');
  paths = pathsOf(await giveHostileNames(service, 'admin@example.org'));
  admin = await loggedIn(service, 'admin@example.org');
});
after(() => service.stop());

/** Returns whether the page shows the hostile name at all. */
function assertHarmless({ text, headers }: Page, what: string): boolean {
  if (!headers.get('content-type')?.startsWith('text/html')) return false;
  for (const raw of RAW) assert.ok(!text.includes(raw), `${what} contains ${raw}`);
  return text.includes(ESCAPED);
}

test('every page shows names as text', async () => {
  const showing = new Set<string>();
  for (const path of paths) {
    const page = await admin.get(path);
    assert.ok(page.status < 500, path);
    // Every page contains the title from the settings and the user’s own name; a page that shows more names contains it
    // more often.
    if (assertHarmless(page, path) && page.text.split(ESCAPED).length > 5)
      showing.add(path.replace(/\?.*/, ''));
  }
  for (const path of [
    '/',
    '/vouchers',
    '/sites',
    '/keys',
    '/profiles',
    '/users',
    '/webhooks/',
    '/printers',
    '/screens',
    '/audit',
    '/batches/',
  ])
    assert.ok(
      [...showing].some((shown) => shown.startsWith(path)),
      `no hostile name was shown on ${path}`,
    );
});

test('values in the URL stay text on every page', async () => {
  const names = ['q', 'name', 'site', 'actor', 'action', 'state', 'sort', 'after', 'before', 'paper', 'next'];
  const more = [
    'resent',
    'duration',
    'unit',
    'validity',
    'profile',
    'batch',
    'voucher',
    'vouchers',
    'audit',
    'url',
  ];
  const query = new URLSearchParams([...names, ...more].map((name): [string, string] => [name, EVIL]));
  for (const path of paths) {
    const page = await admin.get(`${path}${path.includes('?') ? '&' : '?'}${query}`);
    assert.ok(page.status < 500, path);
    assertHarmless(page, path);
  }
  assert.ok(assertHarmless(await admin.get(`/${encodeURIComponent(EVIL)}`), 'a path'));
});

test('form input stays text when the form is shown again', async () => {
  const names = ['name', 'email', 'url', 'limit', 'count', 'uses', 'duration', 'unit', 'quota', 'validity'];
  const fields = Object.fromEntries(names.map((name) => [name, EVIL]));
  for (const path of ['/vouchers', '/profiles', '/keys', '/users', '/webhooks/add', '/sites/new']) {
    const page = await admin.post(path, fields);
    assert.ok(page.status < 500, path);
    assertHarmless(page, path);
  }
  const door = makeWebClient(service);
  assert.ok(assertHarmless(await door.post('/login', { email: EVIL, password: EVIL }), '/login'));
});
