// Tests the site wizard step by step on a simulated console: URL, certificate, credentials, sites of the controller,
// test vouchers. Nothing is sent before the certificate is confirmed, an untested site is stored only as inactive, and
// no page contains a credential.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type SimulatedConsole, startSimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { credentialsOf, hiddenOf, loginTo, pinOf, ticked } from './site-form.ts';
import { addUser, loggedIn, type WebClient } from './web-client.ts';

let service: TestService;
let webClient: WebClient;
let console: SimulatedConsole;
before(async () => {
  service = await startTestService();
  await addUser(service, 'anna@example.org', 'admin');
  webClient = await loggedIn(service, 'anna@example.org');
  console = await startSimulatedConsole({ port: 0, flavour: 'unifi-os' });
});
after(async () => {
  await service.stop();
  await console.stop();
});

const requests = () => console.controls.counters().requestsInAll;
const stored = () => service.rows('select * from sites order by id');
const start = (kind: string, fields: Record<string, string> = {}) => ({ kind, url: console.url, ...fields });

for (const [kind, site] of [
  ['unifi', 'default'],
  ['unifi-classic', 'k3w9x2pb'],
] as const)
  describe(`a site on ${kind}`, () => {
    test('is set up in steps; nothing is sent before the certificate is confirmed; no voucher remains', async () => {
      const [before, count] = [requests(), stored().length];
      const certificate = await webClient.post('/sites/new', start(kind));
      assert.equal(certificate.status, 200);
      assert.ok(certificate.text.replaceAll('<wbr>', '').includes(console.fingerprint256));
      const asked = await webClient.post('/sites/new/certificate', hiddenOf(certificate.text));
      assert.match(asked.text, kind === 'unifi' ? /name="api-key"/ : /name="password"/);
      assert.equal(requests(), before);

      const credentials = credentialsOf(console, kind);
      const choice = await webClient.post('/sites/new/site', { ...hiddenOf(asked.text), ...credentials });
      assert.equal(choice.status, 200);
      assert.match(choice.text, /Die Konsole hat 2 Sites/);
      assert.match(choice.text, /value="k3w9x2pb"[^>]*><span>Haus B <span class="sub">k3w9x2pb</);
      for (const secret of Object.values(credentials)) assert.ok(!choice.text.includes(secret));
      assert.equal(stored().length, count, 'nothing is stored yet');
      console.controls.resetCounters();

      const own = { [`name-${site}`]: 'Haus am See', import: 'off' };
      const made = await webClient.post('/sites/new/store', { ...ticked(choice.text, site), ...own });
      assert.equal(made.status, 303);
      const row = stored().at(-1);
      assert.equal(made.location, `/sites/${row?.id}`);
      const expected = { name: 'Haus am See', active: 1, controller_kind: kind, imports_foreign: 0 };
      assert.partialDeepStrictEqual({ ...row }, { ...expected, controller_site: site });
      const { create, delete: deleted } = console.controls.counters().requests;
      assert.deepEqual([create, deleted], [1, 1]);
      assert.deepEqual(console.controls.vouchers(), []);
      assert.deepEqual(service.rows('select 1 from vouchers'), []);
      const page = await webClient.get(made.location ?? '');
      assert.match(page.text, /Ein Testvoucher wurde erstellt und wieder gelöscht/);
      for (const secret of Object.values(credentials)) assert.ok(!page.text.includes(secret));
      const [entry] = service.rows('select * from audit order by id desc limit 1');
      assert.partialDeepStrictEqual(
        { ...entry },
        { actor: 'Web: anna', action: 'site.added', subject: `site ${row?.id} (Haus am See)` },
      );
    });

    test('is refused if another site uses the same controller site, which is marked in the list', async () => {
      const count = stored().length;
      const choice = await loginTo(webClient, console, { kind });
      assert.match(choice.text, /gehört schon zu „Haus am See“/);
      assert.doesNotMatch(choice.text, new RegExp(`name="site" value="${site}"`));
      const forged = { ...ticked(choice.text, site), [`name-${site}`]: 'Noch einmal' };
      const { status, text } = await webClient.post('/sites/new/store', forged);
      assert.equal(status, 422);
      assert.match(text, /Noch einmal:.*Diese Site der Konsole gehört schon zu „Haus am See“/s);
      assert.equal(stored().length, count);
    });

    test('with wrong credentials is not stored; the page explains the error without repeating them', async () => {
      const count = stored().length;
      const wrong: Record<string, string> =
        kind === 'unifi'
          ? { 'api-key': 'falscher-Schlüssel' }
          : { username: 'mallory', password: 'falsches-Passwort' };
      const { status, text } = await loginTo(webClient, console, { kind, ...wrong });
      assert.equal(status, 422);
      assert.match(
        text,
        kind === 'unifi' ? /lehnt den API-Schlüssel von Gastpass ab/ : /Benutzer und Passwort prüfen/,
      );
      for (const secret of Object.values(wrong)) assert.ok(!text.includes(secret), secret);
      assert.equal(stored().length, count);

      const anyway = { ...hiddenOf(text), name: 'Später', site: `spaeter-${kind}`, anyway: 'yes' };
      const { location } = await webClient.post('/sites/new/store', anyway);
      assert.match(location ?? '', /^\/sites\/\d+$/);
      assert.match((await webClient.get(location ?? '')).text, /Gespeichert, aber inaktiv/);
      assert.partialDeepStrictEqual(
        { ...stored().at(-1) },
        { name: 'Später', active: 0, controller_site: `spaeter-${kind}` },
      );
    });
  });

test('the only site of a controller is preselected, and parallel submissions create one site', async () => {
  const count = stored().length;
  const other = await startSimulatedConsole({ sites: [{ name: 'einzig', desc: 'Ferienhaus' }] });
  const choice = await loginTo(webClient, other);
  assert.match(choice.text, /hat eine Site.*name="site" value="einzig" checked/s);
  const { once, ...fields } = ticked(choice.text, 'einzig');
  assert.ok(once);
  // Without the one-time token, as if the form had been opened three times.
  const send = () => webClient.post('/sites/new/store', fields);
  const statuses = (await Promise.all([send(), send(), send()])).map(({ status }) => status).sort();
  assert.deepEqual(other.controls.vouchers(), []);
  await other.stop();
  assert.deepEqual(statuses, [303, 422, 422]);
  assert.equal(stored().length, count + 1);
});

test('a certificate other than the confirmed one is refused before any credential is sent', async () => {
  const [before, count] = [requests(), stored().length];
  const { status, text } = await loginTo(webClient, console, { trust: '0'.repeat(64) });
  assert.equal(status, 422);
  assert.match(text, /ein anderes Zertifikat als das bestätigte\. Es wurde nichts gesendet/);
  assert.deepEqual([requests(), stored().length], [before, count]);
});

test('without a confirmed certificate nothing is sent, even if the form is forged', async () => {
  const [before, count] = [requests(), stored().length];
  for (const forged of ['', 'insecure', 'pinned', 'zz', `${pinOf(console)}00`]) {
    const { text } = await loginTo(webClient, console, { trust: forged });
    assert.match(text, /action="\/sites\/new"/, forged);
  }
  const vouched = await loginTo(webClient, console, { trust: 'ca' });
  assert.equal(vouched.status, 422, 'no trusted authority issued the certificate, whatever the form says');
  assert.deepEqual([requests(), stored().length], [before, count]);
});

test('sealed credentials are valid for one hour, and only for their URL, controller kind and user', async () => {
  const other = await startSimulatedConsole();
  const held = hiddenOf((await loginTo(webClient, console)).text);
  const [fields, sealed] = [{ ...held, site: 'k3w9x2pb', name: 'Haus B' }, held.sealed ?? ''];
  const count = stored().length;
  await addUser(service, 'berta@example.org', 'admin');
  const berta = await loggedIn(service, 'berta@example.org');
  const [kept] = service.rows('select sealed_credentials from sites where sealed_credentials is not null');
  const before = requests();
  const tries: [WebClient, Record<string, string>][] = [
    [webClient, { url: other.url }],
    [webClient, { kind: 'unifi-classic' }],
    [webClient, { sealed: '' }],
    [webClient, { sealed: `${sealed.slice(0, -3)}AAA` }],
    [webClient, { sealed: String(kept?.sealed_credentials) }],
    [berta, {}],
  ];
  for (const [who, changed] of tries) {
    const { status, text } = await who.post('/sites/new/store', { ...fields, anyway: 'yes', ...changed });
    assert.equal(status, 422);
    assert.match(text, /gelten nicht mehr.*action="\/sites\/new"/s, JSON.stringify(changed));
  }
  service.clock.advance(61 * 60_000);
  await webClient.login('anna@example.org');
  const late = await webClient.post('/sites/new/store', fields);
  assert.match(late.text, /gelten nicht mehr/);
  assert.deepEqual([requests(), stored().length], [before, count]);
  assert.equal(other.controls.counters().requestsInAll, 0);
  await other.stop();
});

test('invalid input is reported at its field, and the form keeps the input', async () => {
  const count = stored().length;
  const addresses = [
    '',
    'http://10.0.0.1',
    'https://user:geheim@10.0.0.1',
    'https://user@10.0.0.1',
    'https://10.0.0.1/#x',
    'https://10.0.0.1/?x=1',
    'ftp://a',
  ];
  for (const url of addresses) {
    const { status, text } = await webClient.post('/sites/new', start('unifi-classic', { url }));
    assert.equal(status, 422, url);
    assert.match(text, /id="url-error"/, url);
    assert.match(text, /value="unifi-classic" selected/);
  }
  const names = await webClient.post('/sites/new', start('simulator', { name: 'a\u202eb' }));
  assert.match(names.text, /id="name-error"/);
  const asked = await loginTo(webClient, console, {
    kind: 'unifi-classic',
    username: 'anna@example.org',
    password: 'x',
  });
  assert.match(asked.text, /id="username-error"/);
  const fresh = await startSimulatedConsole();
  const choice = await loginTo(webClient, fresh);
  const nowhere = await webClient.post('/sites/new/store', ticked(choice.text, []));
  assert.match(nowhere.text, /<a href="#site">Bitte mindestens eine Site auswählen/);
  const unnamed = { ...ticked(choice.text, 'k3w9x2pb'), 'name-k3w9x2pb': ' ' };
  const nameless = await webClient.post('/sites/new/store', unnamed);
  assert.match(nameless.text, /<a href="#name-k3w9x2pb">Name für Haus B: Bitte ausfüllen/);
  assert.match(nameless.text, /value="k3w9x2pb" checked/);
  await fresh.stop();
  assert.equal(stored().length, count);
});

test('the back button leads to the first step and keeps the input', async () => {
  const fields = { ...start('unifi-classic'), trust: pinOf(console), back: 'yes' };
  for (const path of ['/sites/new/certificate', '/sites/new/site', '/sites/new/store']) {
    const { text } = await webClient.post(path, fields);
    assert.ok(text.includes(`value="${console.url}"`));
    assert.match(text, /value="unifi-classic" selected/);
  }
});

test('a site on the simulator needs only a name, and can be set to fail later', async () => {
  const asked = await webClient.post('/sites/new', { kind: 'simulator', url: '' });
  const named = { ...hiddenOf(asked.text), name: 'Probe', import: 'on' };
  const { location } = await webClient.post('/sites/new', named);
  assert.match(location ?? '', /^\/sites\/\d+$/);
  const path = location ?? '';
  const changed = await webClient.post(path, { name: 'Probe', site: 'fail:refuse', import: 'on' });
  assert.equal(changed.status, 303);
  assert.partialDeepStrictEqual({ ...stored().at(-1) }, { active: 1, controller_site: 'fail:refuse' });
  const empty = await webClient.post(path, { name: 'Probe', site: '', import: 'on' });
  assert.match(empty.text, /id="site-error"/);
});

test('no credential of these tests is in the log, not even in a logged URL', () => {
  const log = JSON.stringify(service.logLines);
  for (const secret of [console.apiKey, console.password, 'falscher-Schlüssel', 'falsches-Passwort'])
    assert.ok(!log.includes(secret), secret);
});
