// Tests the settings of e-mail: nothing typed is lost, the password is never shown, the page says what the server says,
// and the environment takes precedence.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rootCertificates } from 'node:tls';
import { startMailServer, type TestMailServer } from '../support/mail/mail-server.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from './web-client.ts';

const PATH = '/settings/e-mail';
let service: TestService;
let server: TestMailServer;
let admin: WebClient;
before(async () => {
  server = await startMailServer({ credentials: { username: 'wlan', password: 'geheim' } });
  service = await startTestService();
  await addUser(service, 'anna@example.org', 'admin');
  admin = await loggedIn(service, 'anna@example.org');
});
after(async () => {
  await service.stop();
  await server.stop();
});

const form = (change: Record<string, string> = {}) => ({
  host: '127.0.0.1',
  port: String(server.port),
  tls: 'off',
  user: 'wlan',
  password: 'geheim',
  'from-name': 'Gästehaus Größe',
  from: 'wlan@example.org',
  'per-hour': '',
  ca: '',
  ...change,
});
const stored = () => service.beside.mailServer.findStored();

test('the settings lead to the page, and templates fill in what is known', async () => {
  assert.match((await admin.get('/settings')).text, /href="\/settings\/e-mail"/);
  const { text } = await admin.get(`${PATH}?for=google`);
  assert.match(text, /name="host"[^>]*value="smtp\.gmail\.com"/);
  assert.match(text, /value="required" checked/);
  assert.match(text, /App-Passwort/);
  assert.doesNotMatch(text, /action="\/settings\/e-mail\/test"/, 'there is nothing to test yet');
});

test('a mistake loses nothing that was typed, not even the password', async () => {
  const wrong: Record<string, string> = {
    host: 'smtp://mail.example.org',
    port: '0',
    tls: 'maybe',
    from: 'wlan@localhost',
    'from-name': 'Gästehaus <x>',
    'per-hour': '0',
    ca: 'kein Zertifikat',
  };
  const page = await admin.post(PATH, form(wrong));
  assert.equal(page.status, 422);
  for (const field of Object.keys(wrong)) assert.match(page.text, new RegExp(`id="${field}-error"`));
  assert.match(page.text, /value="Gästehaus &lt;x&gt;"/);
  assert.doesNotMatch(page.text, /geheim/);
  assert.equal(await stored(), undefined);

  const [, sealed = ''] = /name="sealed" value="([^"]+)"/.exec(page.text) ?? [];
  assert.equal((await admin.post(PATH, form({ password: '', sealed }))).status, 303);
  assert.deepEqual((await stored())?.credentials, { username: 'wlan', password: 'geheim' });
});

test('after saving, the page checks the server and warns of an unencrypted password', async () => {
  const { location } = await admin.post(PATH, form());
  const { text } = await admin.get(String(location));
  assert.match(text, /Der Mailserver ist gespeichert/);
  assert.match(text, /Der Mailserver ist erreichbar, und die Anmeldung klappt/);
  assert.match(text, /Das Passwort geht unverschlüsselt durchs Netz/);
  assert.doesNotMatch(text, /geheim/);
  assert.match((await admin.get('/audit')).text, /den Mailserver eingerichtet oder geändert/);
});

test('an empty password keeps the stored one, but not for another connection or user', async () => {
  assert.equal((await admin.post(PATH, form({ password: '', 'per-hour': '100' }))).status, 303);
  assert.partialDeepStrictEqual(await stored(), { credentials: { password: 'geheim' }, perHour: 100 });
  const encrypted = form({ tls: 'required' });
  await admin.post(PATH, encrypted);
  const [ca = ''] = rootCertificates;
  for (const change of [{ host: 'localhost' }, { user: 'other' }, { port: '26' }, { tls: 'off' }, { ca }]) {
    const page = await admin.post(PATH, { ...encrypted, password: '', ...change });
    assert.match(page.text, /id="password-error"/, Object.keys(change)[0]);
  }
  assert.equal((await admin.post(PATH, { ...encrypted, password: '' })).status, 303);
  await admin.post(PATH, form());
});

test('a test mail arrives, and a refusal is shown in the words of the server, with advice', async () => {
  const sent = await admin.post(`${PATH}/test`, { to: 'anna@example.org' });
  assert.match(sent.text, /hat die Test-E-Mail an anna@example\.org angenommen/);
  const mail = await server.mails.at(-1)?.parse();
  assert.match(String(mail?.subject), /^Test-E-Mail von /);
  assert.deepEqual(mail?.from, { name: 'Gästehaus Größe', address: 'wlan@example.org' });

  server.setFault((step) => (step === 'sender' ? '553 5.7.1 Sender address rejected: not owned' : undefined));
  const refused = await admin.post(`${PATH}/test`, { to: 'anna@example.org' });
  assert.match(refused.text, /Meldung: 553 5\.7\.1 Sender address rejected: not owned/);
  assert.match(refused.text, /Unter dieser Absenderadresse darf das Konto nicht senden/);
  server.setFault(undefined);
  assert.equal((await admin.post(`${PATH}/test`, { to: 'anna' })).status, 422);
});

test('a server that does not answer or refuses the login is saved, the page says so, and System health too', async () => {
  for (const [change, said] of [
    [{ port: '1' }, /nimmt der Server keine Verbindung an/],
    [{ password: 'falsch' }, /Benutzername oder Passwort stimmt nicht/],
  ] as const) {
    const { location } = await admin.post(PATH, form(change));
    assert.match((await admin.get(String(location))).text, said);
    const health = await admin.get('/health');
    assert.match(health.text, /lassen sich keine E-Mails senden/);
    assert.match(health.text, said);
  }
  await admin.post(PATH, form());
  assert.match((await admin.get('/health')).text, /127\.0\.0\.1, Port \d+: erreichbar/);
});

test('the server is removed with its password after a question', async () => {
  assert.match((await admin.get(`${PATH}/remove`)).text, /127\.0\.0\.1 wird mit seinem Passwort entfernt/);
  assert.equal((await admin.post(`${PATH}/remove`, {})).status, 303);
  assert.equal(await stored(), undefined);
  assert.doesNotMatch((await admin.get('/health')).text, /Mailserver/);
});

test('what is stored in a way that cannot be used is named, and replaced only by saving', async () => {
  await admin.post(PATH, form());
  service.change("update mail_server set tls = 'opportunistic'");
  const { text } = await admin.get(PATH);
  assert.match(text, /Die Verschlüsselung wurde mit einer neueren Version von Gastpass gewählt/);
  assert.doesNotMatch(text, /name="tls"[^>]*checked/);
  assert.match((await admin.get('/health')).text, /neueren Version/);
  await admin.post(PATH, form());
  assert.equal((await stored())?.tls, 'off');
});

test('a server that is set up here follows the rule of webhooks and printers, and one of the environment does not', async () => {
  const metadata = await admin.post(PATH, form({ host: '169.254.169.254' }));
  assert.match((await admin.get(String(metadata.location))).text, /darf sich Gastpass nicht verbinden/);
  await admin.post(PATH, form());
  const mails = {
    SMTP_URL: `smtp://wlan:geheim@127.0.0.1:${server.port}`,
    SMTP_TLS: 'off',
    MAIL_FROM: 'a@b.example',
  };
  for (const [environment, said] of [
    [{}, /darf sich Gastpass nicht verbinden/],
    [mails, /angenommen/],
  ] as const) {
    const strict = await startTestService({ environment: { WEBHOOK_TARGETS: 'public', ...environment } });
    try {
      await addUser(strict, 'anna@example.org', 'admin');
      const anna = await loggedIn(strict, 'anna@example.org');
      await anna.post(PATH, form());
      assert.match((await anna.post(`${PATH}/test`, { to: 'anna@example.org' })).text, said);
    } finally {
      await strict.stop();
    }
  }
});

test('settings of the environment are shown without the password, and cannot be changed here', async () => {
  const fixed = await startTestService({
    environment: {
      SMTP_URL: `smtp://wlan:geheim@127.0.0.1:${server.port}`,
      SMTP_TLS: 'off',
      MAIL_FROM: 'Haus <wlan@example.org>',
    },
  });
  try {
    await addUser(fixed, 'anna@example.org', 'admin');
    const anna = await loggedIn(fixed, 'anna@example.org');
    const { text } = await anna.get(PATH);
    assert.match(text, /steht in den Umgebungsvariablen/);
    assert.match(text, /Haus &lt;wlan@example\.org&gt;/);
    assert.doesNotMatch(text, /geheim|name="host"/);
    const sent = await anna.post(`${PATH}/test`, { to: 'anna@example.org' });
    assert.match(sent.text, /angenommen/);
  } finally {
    await fixed.stop();
  }
});
