// Setting up a site in the web interface: address, certificate, credentials, a real test against a simulated
// console, step by step. Nothing is sent before the certificate is confirmed, and nothing is stored untested.

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import { after, before, describe, test } from 'node:test';
import {
  type SimulatedController,
  startSimulatedController,
} from '../../src/controllers/unifi-simulator/server.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addPerson, signedIn, type Visitor } from './visitor.ts';

let service: TestService;
let visitor: Visitor;
let console: SimulatedController;
before(async () => {
  service = await startTestService();
  await addPerson(service, 'anna@example.org', 'admin');
  visitor = await signedIn(service, 'anna@example.org');
  console = await startSimulatedController({ port: 0, flavour: 'unifi-os' });
});
after(async () => {
  await service.stop();
  await console.stop();
});

const requests = () => console.controls.counters().requestsInAll;
const stored = () => service.rows('select * from sites order by id');
const trust = () => console.fingerprint256.replaceAll(':', '');
const start = (kind: string, fields: Record<string, string> = {}) => ({
  name: 'Haus am See',
  kind,
  site: 'default',
  url: console.url,
  import: 'on',
  ...fields,
});
const credentialsFor = (kind: string): Record<string, string> =>
  kind === 'unifi'
    ? { 'api-key': console.apiKey }
    : { username: console.username, password: console.password };

/** What the form of a page would send, had somebody filled in nothing. */
function hiddenOf(text: string): Record<string, string> {
  const fields = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
  return Object.fromEntries(
    fields.map(([, name, value]) => [name ?? '', (value ?? '').replaceAll('&quot;', '"')]),
  );
}

for (const [kind, site] of [
  ['unifi', 'default'],
  ['unifi-classic', 'k3w9x2pb'],
] as const)
  describe(`a site on ${kind}`, () => {
    test('is set up in three steps, and no byte of HTTP is sent before the certificate is confirmed', async () => {
      const before = requests();
      const certificate = await visitor.post('/sites/new', start(kind, { site, import: 'off' }));
      assert.equal(certificate.status, 200);
      assert.ok(certificate.text.replaceAll('<wbr>', '').includes(console.fingerprint256));
      const asked = await visitor.post('/sites/new/certificate', hiddenOf(certificate.text));
      assert.equal(asked.status, 200);
      assert.match(asked.text, kind === 'unifi' ? /name="api-key"/ : /name="password"/);
      assert.equal(requests(), before);

      const fields = { ...hiddenOf(asked.text), ...credentialsFor(kind) };
      const { status, location } = await visitor.post('/sites/new/store', fields);
      assert.equal(status, 303);
      assert.ok(requests() > before);
      const row = stored().at(-1);
      assert.equal(location, `/sites/${row?.id}?said=made`);
      const expected = { name: 'Haus am See', active: 1, controller_kind: kind, imports_foreign: 0 };
      assert.partialDeepStrictEqual({ ...row }, { ...expected, controller_site: site });
      const page = await visitor.get(location ?? '');
      for (const secret of [console.apiKey, console.password, console.username])
        assert.ok(!page.text.includes(secret));
      const [entry] = service.rows('select * from audit order by id desc limit 1');
      assert.partialDeepStrictEqual({ ...entry }, { actor: 'Web: anna', action: 'site.added' });
    });

    test('for a place that has one already is refused, and the other one is named', async () => {
      const count = stored().length;
      const fields = { ...start(kind, { site }), trust: trust(), ...credentialsFor(kind) };
      const { status, text } = await visitor.post('/sites/new/store', fields);
      assert.equal(status, 422);
      assert.match(text, /„Haus am See“ steht schon für diese Site/);
      const early = await visitor.post('/sites/new', start(kind, { site }));
      assert.match(early.text, /„Haus am See“ steht schon für diese Site/);
      assert.equal(stored().length, count);
    });

    test('with wrong credentials is not stored, says how to mend it, and repeats none of them', async () => {
      const count = stored().length;
      const wrong =
        kind === 'unifi'
          ? { 'api-key': 'falscher-Schlüssel' }
          : { username: 'mallory', password: 'falsches-Passwort' };
      const fields = { ...start(kind, { site: 'anders' }), trust: trust(), ...wrong };
      const { status, text } = await visitor.post('/sites/new/store', fields);
      assert.equal(status, 422);
      assert.match(
        text,
        kind === 'unifi' ? /Der API-Schlüssel gilt nicht/ : /Benutzer oder Passwort stimmt nicht/,
      );
      for (const secret of Object.values(wrong)) assert.ok(!text.includes(secret), secret);
      assert.match(text, /name="anyway"/);
      assert.match(text, /name="site" value="anders"/);
      assert.equal(stored().length, count);
    });
  });

test('a form that is sent twice at once makes one site', async () => {
  const count = stored().length;
  const other = await startSimulatedController({ port: 0 });
  const fields = start('unifi', { url: other.url });
  const send = () =>
    visitor.post('/sites/new/store', {
      ...fields,
      trust: other.fingerprint256.replaceAll(':', ''),
      'api-key': other.apiKey,
    });
  const statuses = (await Promise.all([send(), send(), send()])).map(({ status }) => status).sort();
  await other.stop();
  assert.deepEqual(statuses, [303, 422, 422]);
  assert.equal(stored().length, count + 1);
});

test('another certificate than the confirmed one is refused before any credential is sent', async () => {
  const [before, count] = [requests(), stored().length];
  const fields = { ...start('unifi', { site: 'neu' }), trust: '0'.repeat(64), 'api-key': console.apiKey };
  const { status, text } = await visitor.post('/sites/new/store', fields);
  assert.equal(status, 422);
  assert.match(text, /ein anderes Zertifikat als das bestätigte; es wurde nichts gesendet/);
  assert.deepEqual([requests(), stored().length], [before, count]);
});

test('without a confirmed certificate nothing is sent, whatever the form says', async () => {
  const [before, count] = [requests(), stored().length];
  for (const forged of ['', 'insecure', 'pinned', 'zz', `${trust()}00`]) {
    const fields = { ...start('unifi', { site: 'neu' }), trust: forged, 'api-key': console.apiKey };
    const { text } = await visitor.post('/sites/new/store', fields);
    assert.match(text, /action="\/sites\/new"/, forged);
  }
  assert.deepEqual([requests(), stored().length], [before, count]);
});

test('a controller whose certificate no authority vouches for is not taken on the word of the form', async () => {
  const before = requests();
  const fields = { ...start('unifi', { site: 'neu' }), trust: 'ca', 'api-key': console.apiKey };
  const { status } = await visitor.post('/sites/new/store', fields);
  assert.deepEqual([status, requests()], [422, before]);
});

test('a site the controller does not have is told with those it has, and can be stored inactive', async () => {
  const fields = { ...start('unifi', { site: 'gibtsnicht' }), trust: trust(), 'api-key': console.apiKey };
  const refused = await visitor.post('/sites/new/store', fields);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /Diese Site gibt es dort nicht/);
  assert.match(refused.text, /it has: default, k3w9x2pb/);
  const { status, location } = await visitor.post('/sites/new/store', { ...fields, anyway: 'yes' });
  assert.equal(status, 303);
  assert.match((await visitor.get(location ?? '')).text, /Gespeichert, aber inaktiv/);
  assert.partialDeepStrictEqual({ ...stored().at(-1) }, { active: 0, controller_site: 'gibtsnicht' });
});

test('an address where nobody answers, or something else does, is told in the first step with what was typed', async () => {
  const plain: Server = createServer((socket) =>
    socket
      .on('error', () => {})
      .resume()
      .end('220 mail.example ESMTP\r\n'),
  );
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  const address = plain.address();
  assert.ok(address && typeof address === 'object');
  const talker = `https://127.0.0.1:${address.port}`;
  const other = await visitor.post('/sites/new', start('unifi', { url: talker }));
  await new Promise((resolve) => plain.close(resolve));
  const dead = await visitor.post('/sites/new', start('unifi', { url: talker }));
  const cases = [
    [other, /kein HTTPS spricht/],
    [dead, /Adresse und Port prüfen, und ob der Controller läuft/],
  ] as const;
  for (const [{ status, text }, mend] of cases) {
    assert.equal(status, 422);
    assert.match(text, mend);
    assert.match(text, /Meldung:/);
    assert.ok(text.includes(`value="${talker}"`));
    assert.match(text, /name="name"[^>]*value="Haus am See"/);
  }
});

test('bad input is told at its field, and what was typed is kept', async () => {
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
    const { status, text } = await visitor.post('/sites/new', start('unifi', { url, site: 'garten' }));
    assert.equal(status, 422, url);
    assert.match(text, /id="url-error"/, url);
    assert.match(text, /name="site"[^>]*value="garten"/);
  }
  const names = await visitor.post('/sites/new', start('simulator', { name: 'a\u202eb', site: ' ' }));
  for (const field of ['name', 'site']) assert.match(names.text, new RegExp(`id="${field}-error"`));
  const cloud = { username: 'anna@example.org', password: 'x' };
  const asked = await visitor.post('/sites/new/store', {
    ...start('unifi-classic'),
    trust: trust(),
    ...cloud,
  });
  assert.match(asked.text, /id="username-error"/);
  assert.equal(stored().length, count);
});

test('the way back leads to the first step with all that was entered', async () => {
  const fields = { ...start('unifi-classic', { name: 'Scheune' }), trust: trust(), back: 'yes' };
  for (const path of ['/sites/new/certificate', '/sites/new/store']) {
    const { text } = await visitor.post(path, fields);
    assert.match(text, /name="name"[^>]*value="Scheune"/);
    assert.match(text, /value="unifi-classic" selected/);
  }
});

test('the simulator needs nothing but a name, and one that is told to fail can be stored inactive', async () => {
  const made = await visitor.post('/sites/new', start('simulator', { name: 'Probe', url: '' }));
  assert.match(made.location ?? '', /^\/sites\/\d+\?said=made$/);
  const failing = start('simulator', { name: 'Kaputt', site: 'fail:refuse', url: '' });
  const refused = await visitor.post('/sites/new', failing);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /fail:refuse/);
  const { location } = await visitor.post('/sites/new', { ...failing, anyway: 'yes' });
  assert.match(location ?? '', /said=madeInactive$/);
  assert.partialDeepStrictEqual({ ...stored().at(-1) }, { name: 'Kaputt', active: 0 });
});

test('no credential of these tests is in the log or in an address', () => {
  const log = JSON.stringify(service.logLines);
  for (const secret of [console.apiKey, console.password, 'falscher-Schlüssel', 'falsches-Passwort'])
    assert.ok(!log.includes(secret), secret);
});
