// Tests logos: uploaded in forms, checked by their bytes, shown in the navigation and on the login page, and served
// only as images. A user who may not upload is refused before the upload is read.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { JPEG, makePng } from '../support/pictures.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, makeWebClient, type WebClient } from './web-client.ts';

let service: TestService;
let admin: WebClient;
let operator: WebClient;
let elsewhere: number;
before(async () => {
  service = await startTestService();
  elsewhere = await service.addSite('default', 'Haus B');
  await addUser(service, 'admin@example.org', 'admin');
  const id = await addUser(service, 'theke@example.org', 'operator');
  service.change(`insert into user_sites (user_id, site_id) values (${id}, 1)`);
  admin = await loggedIn(service, 'admin@example.org');
  operator = await loggedIn(service, 'theke@example.org');
});
after(() => service.stop());

const cookieOf = ({ cookies }: WebClient) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
const tokenOf = async (webClient: WebClient) =>
  /name="token" value="([^"]+)"/.exec((await webClient.get('/account')).text)?.[1] ?? '';

interface Sent {
  by?: WebClient;
  token?: string;
  headers?: Record<string, string>;
  /** Other fields of the form. */
  fields?: Record<string, string>;
}

async function upload(path: string, bytes: Buffer, { by = admin, token, headers, fields = {} }: Sent = {}) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set('token', token ?? (await tokenOf(by)));
  body.set('logo', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'logo.png');
  const response = await fetch(service.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: 'text/html', cookie: cookieOf(by), 'sec-fetch-site': 'same-origin', ...headers },
    body,
  });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
}

async function load(path: string, webClient?: WebClient, headers: Record<string, string> = {}) {
  const cookie = webClient && cookieOf(webClient);
  const response = await fetch(service.url + path, {
    redirect: 'manual',
    headers: { ...(cookie && { cookie }), ...headers },
  });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}
const stored = () => service.rows('select name from images order by name').map(({ name }) => name);

test('without an uploaded logo /logo responds with 404, and pages contain no logo', async () => {
  assert.equal((await load('/logo')).status, 404);
  assert.doesNotMatch((await admin.get('/')).text, /class="logo"/);
  assert.match((await admin.get('/settings')).text, /Noch kein Logo/);
});

test('the logo is shown in the navigation and on the login page, and is served unchanged to anyone', async () => {
  const png = makePng(120, 40);
  assert.equal((await upload('/settings/logo', png)).location, '/settings');
  const door = (await makeWebClient(service).get('/login')).text;
  const src = /<img class="logo" src="(\/logo\?v=[\w-]+)"/.exec(door)?.[1] ?? '';
  assert.ok((await admin.get('/vouchers')).text.includes(`src="${src}"`));
  const { status, headers, bytes } = await load(src);
  assert.equal(status, 200);
  assert.ok(bytes.equals(png));
  const told = ['content-type', 'x-content-type-options', 'cache-control', 'cross-origin-resource-policy'];
  assert.deepEqual(
    told.map((name) => headers.get(name)),
    ['image/png', 'nosniff', 'private, max-age=3600', 'same-origin'],
  );
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; sandbox/);
  const etag = headers.get('etag') ?? '';
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`])
    assert.equal((await load(src, undefined, { 'if-none-match': known })).status, 304, known);
});

test('a new logo has a new URL', async () => {
  const address = async () => /src="(\/logo\?v=[\w-]+)"/.exec((await admin.get('/')).text)?.[1];
  const before = await address();
  assert.equal((await upload('/settings/logo', JPEG)).status, 303);
  assert.notEqual(await address(), before);
  assert.equal((await load('/logo')).headers.get('content-type'), 'image/jpeg');
});

test('an invalid image is refused at the field, and the stored logo stays', async () => {
  const refused: [Buffer, RegExp][] = [
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), /kein PNG/],
    [Buffer.from('GIF89a\x20\0\x20\0'), /kein PNG/],
    [Buffer.from('<!doctype html><script>alert(1)</script>'), /kein PNG/],
    [Buffer.concat([makePng(), Buffer.from('<script>alert(1)</script>')]), /andere Daten/],
    [makePng().subarray(0, 60), /beschädigt/],
    [makePng(8, 8), /16 bis 2000 Pixel/],
    [Buffer.concat([makePng(), Buffer.alloc(262_144)]), /höchstens 256 kB/],
    [Buffer.alloc(0), /Bild wählen/],
  ];
  for (const path of ['/settings/logo', '/sites/1/slip'])
    for (const [bytes, expected] of refused) {
      // The slip designer needs no logo.
      if (path !== '/settings/logo' && bytes.length === 0) continue;
      const { status, text } = await upload(path, bytes);
      assert.equal(status, 422, String(expected));
      assert.match(/id="logo-error">([^<]*)/.exec(text)?.[1] ?? '', expected);
    }
  assert.ok((await load('/logo')).bytes.equals(JPEG));
  assert.deepEqual(stored(), ['logo']);
});

test('a logo that is far too large is refused at the field like any other, and later requests work', async () => {
  for (const path of ['/settings/logo', '/sites/1/slip']) {
    const fields = { 'wifi-name': 'Gäste', text: 'Willkommen' };
    const { status, text } = await upload(path, Buffer.alloc(5_000_000), { fields });
    assert.equal(status, 422, path);
    assert.match(text, /id="logo-error">[^<]*höchstens 256 kB/, path);
    if (path !== '/settings/logo')
      assert.match(text, /id="wifi-name"[^>]* value="Gäste".*>\s*Willkommen<\/textarea>/s);
  }
  assert.equal((await admin.get('/settings')).status, 200);
});

test('only forms with a file may exceed the usual size', async () => {
  const large = { title: 'x'.repeat(100_000) };
  assert.equal((await admin.post('/settings', large)).status, 413);
  assert.equal((await admin.post('/settings/logo/remove', large)).status, 413);
});

test('an upload with a wrong token, from another website or without permission is refused', async () => {
  const png = makePng();
  assert.equal((await upload('/settings/logo', png, { token: 'forged' })).status, 403);
  assert.equal((await upload('/settings/logo', png, { token: await tokenOf(operator) })).status, 403);
  const cross = { 'sec-fetch-site': 'cross-site' };
  assert.equal((await upload('/settings/logo', png, { headers: cross })).status, 403);
  assert.equal((await upload('/settings/logo', png, { by: operator })).status, 403);
  assert.equal((await upload('/sites/1/slip', png, { by: operator })).status, 403);
  const nobody = await upload('/settings/logo', png, { by: makeWebClient(service), token: 'x' });
  assert.deepEqual([nobody.status, nobody.location], [303, '/login']);
  assert.deepEqual(stored(), ['logo']);
});

test('a user who may not upload gets the response before the upload is read', async () => {
  // The body never ends, so a handler that reads it first would never respond.
  for (const [webClient, status] of [
    [operator, 403],
    [makeWebClient(service), 303],
  ] as const) {
    const body = new ReadableStream({ start: (sink) => sink.enqueue(new Uint8Array(10)) });
    const response = await fetch(`${service.url}/settings/logo`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        cookie: cookieOf(webClient),
        'content-type': 'multipart/form-data; boundary=x',
      },
      body,
      duplex: 'half',
      signal: AbortSignal.timeout(10_000),
    });
    assert.equal(response.status, status);
  }
});

test('each site has its own logo, which only users with access to the site can load', async () => {
  const [here, there] = [makePng(40, 40), makePng(50, 50)];
  assert.equal((await upload('/sites/1/slip', here)).location, '/sites/1/slip');
  assert.equal((await upload(`/sites/${elsewhere}/slip`, there)).status, 303);
  const { text } = await admin.get('/sites/1/slip');
  const src = /src="(\/sites\/1\/logo-image\?v=[\w-]+)"/.exec(text)?.[1] ?? '';
  for (const webClient of [admin, operator]) assert.ok((await load(src, webClient)).bytes.equals(here));
  assert.ok((await load(`/sites/${elsewhere}/logo-image`, admin)).bytes.equals(there));
  assert.equal((await load(`/sites/${elsewhere}/logo-image`, operator)).status, 404);
  assert.equal((await load(src)).status, 303);
  assert.equal((await upload('/sites/99/slip', here)).status, 404);
});

test('a logo can be removed', async () => {
  assert.equal((await admin.post('/settings/logo/remove', {})).location, '/settings');
  assert.equal((await admin.post('/sites/1/slip', { 'remove-logo': '1' })).location, '/sites/1/slip');
  assert.equal((await load('/logo')).status, 404);
  assert.doesNotMatch((await admin.get('/')).text, /class="logo"/);
  assert.deepEqual(stored(), [`site-${elsewhere}`]);
  const last = service.rows("select subject from audit where action = 'image.removed' order by id");
  assert.deepEqual(
    last.map(({ subject }) => subject),
    ['logo', 'site-1'],
  );
});

test('the slip designer saves the logo together with the other fields, or nothing if one of them is invalid', async () => {
  const fields = {
    'wifi-name': 'Gäste',
    'wifi-security': 'wpa',
    'wifi-password': 'sehr geheim',
    text: 'Willkommen',
  };
  const logoOf = async () => (await load('/sites/1/logo-image', admin)).bytes;
  const kept = (text: string) => {
    assert.match(text, /<option value="wpa" selected>/);
    assert.match(text, /<textarea id="text"[^>]*>\s*Willkommen<\/textarea>/);
    assert.match(text, /Bitte das Passwort vor dem Speichern noch einmal eingeben/);
    assert.ok(!text.includes('sehr geheim'));
  };
  const page = await admin.get('/sites/1/slip');
  assert.match(page.text, /<form id="slip"[^>]* enctype="multipart\/form-data"/);
  const [, form = ''] = /<form id="slip"(.*?)<\/form>/s.exec(page.text) ?? [];
  const names = [...form.matchAll(/<(?:input|textarea|select)[^>]* name="([^"]+)"/g)].map(([, name]) => name);
  assert.equal(names.at(-1), 'logo', 'the fields after it would be lost with a file that is too large');

  const refused = await upload('/sites/1/slip', Buffer.from('GIF89a'), { fields });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /id="logo-error">[^<]*kein PNG/);
  kept(refused.text);
  const [first, second] = [makePng(40, 40), makePng(60, 30)];
  const faulty = await upload('/sites/1/slip', first, { fields: { ...fields, 'wifi-name': 'x'.repeat(33) } });
  assert.equal(faulty.status, 422);
  assert.match(faulty.text, /Bitte das Logo vor dem Speichern noch einmal wählen/);
  kept(faulty.text);
  assert.deepEqual(stored(), [`site-${elsewhere}`]);

  assert.equal((await upload('/sites/1/slip', first, { fields })).location, '/sites/1/slip');
  assert.match((await admin.get('/sites/1/slip')).text, /value="Gäste"/);
  assert.deepEqual(await logoOf(), first);
  const preview = await upload('/sites/1/slip/preview', second, { fields });
  assert.ok(preview.text.includes(second.toString('base64')), 'the preview shows the new logo');
  assert.deepEqual(await logoOf(), first, 'but does not save it');
  await admin.post('/sites/1/slip', { ...fields, text: 'Guten Tag' });
  assert.deepEqual(await logoOf(), first, 'no file keeps the logo');
  const without = await admin.post('/sites/1/slip/preview', { ...fields, 'remove-logo': '1' });
  assert.ok(!without.text.includes(first.toString('base64')));

  const { 'wifi-password': _, ...plain } = fields;
  const stale = { token: 'of an earlier session', fields: plain };
  assert.match((await upload('/sites/1/slip', Buffer.alloc(0), stale)).text, /alle Eingaben sind noch da/);
  assert.doesNotMatch((await upload('/sites/1/slip', first, stale)).text, /alle Eingaben sind noch da/);
});
