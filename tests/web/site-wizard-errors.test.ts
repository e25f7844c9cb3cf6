// Tests how the site wizard reports errors of a controller in the user's language: what happened, how to fix it, and
// the technical message as a detail. Also tests a test voucher that cannot be deleted.

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, afterEach, before, describe, test } from 'node:test';
import {
  type Fault,
  type SimulatedConsole,
  startSimulatedConsole,
} from '../../packages/unifi-console/src/index.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { loginTo, ticked } from './site-form.ts';
import { addUser, loggedIn, type WebClient } from './web-client.ts';

let service: TestService;
let webClient: WebClient;
let console: SimulatedConsole;
before(async () => {
  service = await startTestService();
  await addUser(service, 'anna@example.org', 'admin');
  webClient = await loggedIn(service, 'anna@example.org');
  console = await startSimulatedConsole({ loginsPerMinute: null });
});
afterEach(() => console.controls.resetFaults());
after(async () => {
  await service.stop();
  await console.stop();
});

const stored = () => service.rows('select * from sites order by id');

interface Trouble {
  what: string;
  fields?: Record<string, string>;
  fault?: Fault;
  /** The message in both languages, and the technical detail. */
  said: Record<'de' | 'en', RegExp> & { detail: RegExp };
}

const whileLoggingIn: Trouble[] = [
  {
    what: 'a wrong password',
    fields: { kind: 'unifi-classic', password: 'falsches Passwort' },
    said: {
      de: /Benutzer und Passwort prüfen/,
      en: /Check user and password/,
      detail: /refuses the login \(403\)/,
    },
  },
  {
    what: 'a second factor',
    fields: { kind: 'unifi-classic' },
    fault: { kind: 'mfa', match: 'login', times: 'always' },
    said: {
      de: /verlangt von Gastpass einen zweiten Faktor/,
      en: /asks Gastpass for a second factor\. Create/,
      detail: /make a local administrator/,
    },
  },
  {
    what: 'too many calls',
    fault: { kind: 'status', status: 429, times: 'always' },
    said: { de: /braucht eine Pause/, en: /needs a pause\. Try again/, detail: /\(429\)/ },
  },
  {
    what: 'a controller that fails',
    fault: { kind: 'status', status: 503, times: 'always' },
    said: { de: /meldet einen internen Fehler/, en: /reports an internal error/, detail: /failed \(503\)/ },
  },
  {
    what: 'another certificate',
    fields: { trust: '0'.repeat(64) },
    said: {
      de: /ein anderes Zertifikat als das bestätigte/,
      en: /a different certificate from the confirmed one\. Nothing/,
      detail: /SHA-256/,
    },
  },
  {
    what: 'a name nobody knows',
    fields: { url: 'https://gibtsnicht.invalid' },
    said: {
      de: /im Netz nicht bekannt/,
      en: /not known on the network\. Check/,
      detail: /gibtsnicht\.invalid/,
    },
  },
];

const whileTesting: Trouble[] = [
  {
    what: 'a role that may not make vouchers',
    fault: { kind: 'status', status: 403, match: 'create', times: 'always' },
    said: {
      de: /keinen Testvoucher erstellt.*nicht genug Rechte/s,
      en: /did not create a test voucher.*lacks permissions/s,
      detail: /role is too low \(403\)/,
    },
  },
  {
    what: 'a controller that takes no more vouchers',
    fault: { kind: 'status', status: 400, match: 'create', times: 'always', text: 'too many vouchers' },
    said: {
      de: /wenn zu viele gespeichert sind/,
      en: /when too many are stored/,
      detail: /refused \(400\): too many vouchers/,
    },
  },
  {
    what: 'a connection that breaks off',
    fault: { kind: 'cut-before-write', match: 'create', times: 'always' },
    said: {
      de: /ist unklar.*„Gastpass Test“.*zur Konsole ist abgebrochen/s,
      en: /It is unclear.*“Gastpass Test”.*to the controller broke off\. Check/s,
      detail: /connection to the controller broke off/,
    },
  },
];

function assertSaid(text: string, language: 'de' | 'en', said: Trouble['said']): void {
  const note = /<div class="note bad message".*?<\/div><\/div>/s.exec(text)?.[0] ?? '';
  assert.match(note, said[language]);
  assert.doesNotMatch(note, said[language === 'de' ? 'en' : 'de']);
  assert.match(/<span lang="en">(.*?)<\/span>/s.exec(note)?.[1] ?? '', said.detail);
}

describe('while logging in to the controller', () => {
  for (const { what, fields = {}, fault, said } of whileLoggingIn)
    for (const language of ['de', 'en'] as const)
      test(`${what} is reported in the language "${language}", and nothing is stored`, async () => {
        const count = stored().length;
        if (fault) console.controls.setFault(fault);
        // Each test uses its own account, because the service pauses after a refused login to an account.
        const own = fields.kind ? { ...fields, username: `${language} ${what}` } : fields;
        const { status, text } = await loginTo(webClient, console, own, { language });
        assert.equal(status, 422);
        assertSaid(text, language, said);
        assert.equal(stored().length, count);
      });
});

describe('while creating the test voucher', () => {
  for (const { what, fault, said } of whileTesting)
    for (const language of ['de', 'en'] as const)
      test(`${what} is reported in the language "${language}", and nothing is stored`, async () => {
        const count = stored().length;
        const choice = await loginTo(webClient, console);
        if (fault) console.controls.setFault(fault);
        const headers = { 'accept-language': language };
        const { status, text } = await webClient.post(
          '/sites/new/store',
          ticked(choice.text, 'default'),
          headers,
        );
        assert.equal(status, 422);
        assertSaid(text, language, said);
        assert.match(text, /name="anyway"/);
        assert.equal(stored().length, count);
      });
});

describe('a test voucher that cannot be deleted', () => {
  test('is reported with its code; the site is not stored, but can be stored as inactive', async () => {
    const fields = ticked((await loginTo(webClient, console)).text, 'default');
    console.controls.setFault({ kind: 'status', status: 500, match: 'delete', times: 'always' });
    const german = await webClient.post('/sites/new/store', fields);
    const english = await webClient.post('/sites/new/store', fields, { 'accept-language': 'en' });
    const [one, two] = console.controls.vouchers().map(({ code }) => code.replace(/(.{5})(?=.)/, '$1-'));
    assert.match(german.text, new RegExp(`ließ sich aber nicht löschen.*„Gastpass Test“, Code ${one}`, 's'));
    assert.match(english.text, new RegExp(`could not be deleted.*“Gastpass Test”, code ${two}`, 's'));
    assert.equal(stored().length, 1);
    const { location } = await webClient.post('/sites/new/store', { ...fields, anyway: 'yes' });
    assert.match(location ?? '', /^\/sites\/\d+$/);
    assert.deepEqual(service.rows('select 1 from vouchers'), []);
  });

  test('is ignored by sync, and the test succeeds once its voucher can be deleted', async () => {
    console.controls.fill({ note: 'von Hand' });
    const path = `/sites/${stored().at(-1)?.id}`;
    const on = await webClient.post(`${path}/activate`, {});
    assert.match(on.text, /Der Standort ist aktiv\./);
    const synced = await webClient.post(`${path}/sync`, {});
    assert.match(synced.text, /3 auf der Konsole.*1 neu übernommen/);
    assert.deepEqual(
      service.rows('select name from vouchers').map(({ name }) => name),
      ['von Hand'],
    );
    const tested = await webClient.post(`${path}/test`, {});
    assert.match(tested.text, /note good.*Testvoucher wurde erstellt und wieder gelöscht/s);
    assert.equal(console.controls.vouchers().length, 3);
  });
});

test('list and page show why a site fails and since when, and the page what to do, until the site works again', async () => {
  const id = stored().at(-1)?.id;
  console.controls.setFault({ kind: 'status', status: 503, times: 'always' });
  await webClient.post(`/sites/${id}/sync`, {});
  const [{ failing_since_ms: since } = {}] = service.rows(`select * from site_syncs where site_id = ${id}`);
  service.clock.advance(50 * 60_000);
  await webClient.post(`/sites/${id}/sync`, {});
  const [sync] = service.rows(`select * from site_syncs where site_id = ${id}`);
  assert.partialDeepStrictEqual({ ...sync }, { cause: 'failed', failing_since_ms: since });
  for (const [language, said] of [
    ['de', /gestört.*Seit .*meldet einen internen Fehler/s],
    ['en', /failing.*Since .*reports an internal error/s],
  ] as const) {
    const { text } = await webClient.get('/sites', { 'accept-language': language });
    assert.match(text, said);
    assert.ok(text.includes(`action="/sites/${id}/sync"`));
  }
  const { text } = await webClient.get(`/sites/${id}`);
  assert.match(
    text,
    /note bad.*Seit .*etwas warten.*Technische Meldung:.*failed \(503\).*Mit Testvoucher prüfen.*Zuletzt erfolgreich: \d/s,
  );
  console.controls.resetFaults();
  service.clock.advance(60_000);
  await webClient.post(`/sites/${id}/sync`, {});
  assert.doesNotMatch((await webClient.get('/sites')).text, /gestört/);
  service.clock.advance(4 * 86_400_000);
  await webClient.login('anna@example.org');
  assert.match((await webClient.get('/sites')).text, /veraltet.*Läuft der Dienst durchgehend/s);
});

test('a URL without a server or without HTTPS is reported in the first step, and the input is kept', async () => {
  const plain = createServer((socket) =>
    socket
      .on('error', () => {})
      .resume()
      .end('220 mail.example ESMTP\r\n'),
  );
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  const address = plain.address();
  assert.ok(address && typeof address === 'object');
  const start = { kind: 'unifi-classic' };
  const talker = `https://127.0.0.1:${address.port}`;
  const other = await webClient.post('/sites/new', { ...start, url: talker });
  await new Promise((resolve) => plain.close(resolve));
  const dead = await webClient.post('/sites/new', { ...start, url: talker });
  const cases = [
    [other, /antwortet ohne HTTPS/],
    [dead, /Adresse und Port prüfen; die Konsole muss laufen/],
  ] as const;
  for (const [{ status, text }, mend] of cases) {
    assert.equal(status, 422);
    assert.match(text, mend);
    assert.match(text, /Technische Meldung:/);
    assert.ok(text.includes(`value="${talker}"`));
    assert.match(text, /value="unifi-classic" selected/);
  }
});
