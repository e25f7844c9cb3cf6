// Tests the health page: problems first, each with a way out, in both languages; what is fine is folded; a controller
// that never answers does not hold the page up.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { loadChecks } from '../../src/app/feature-health.ts';
import { examineInstallation } from '../../src/kernel/health/examine-installation.ts';
import type { Formats } from '../../src/kernel/health/health-said.ts';
import { MESSAGES } from '../../src/kernel/texts/messages.ts';
import type { Language } from '../../src/platform/text/language.ts';
import { listNames } from '../../src/platform/texts/name-list.ts';
import { TESTER } from '../support/actors.ts';
import { insertDelivery } from '../support/delivery-rows.ts';
import { engine } from '../support/engine.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addWebhookTo } from '../webhooks/delivery/recording-receiver.ts';
import { addUser, loggedIn, type WebClient } from './web-client.ts';

let service: TestService;
let admin: WebClient;
before(async () => {
  service = await startTestService();
  await addUser(service, 'admin@example.org', 'admin');
  admin = await loggedIn(service, 'admin@example.org');
});
after(() => service.stop());

/** What a reader sees of the content, without the menu. */
function readable(page: string): string {
  const content = page.slice(page.indexOf('<main'));
  return content
    .replaceAll(/<svg.*?<\/svg>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ');
}

test('without problems the page says so and lists what was examined', async () => {
  const { status, text } = await admin.get('/health');
  assert.equal(status, 200);
  assert.match(text, /<a class="item" href="\/health" aria-current="page"/);
  const said = readable(text);
  assert.match(said, /Systemzustand Alles in Ordnung\. /);
  assert.match(text, /<details open>/);
  for (const fine of [
    /Datenordner \//,
    /Speicherplatz [\d.,]+ [MG]B \(\d+ %\) frei/,
    /Datenbank Lesen und Schreiben funktionieren/,
    /Dienst Läuft, Version \d/,
    /Zeitzone Europe\/Berlin/,
    /Demo Die Konsole funktioniert/,
    /Datensicherungen Nicht eingerichtet/,
    /Offene Aufträge Keine/,
  ])
    assert.match(said, fine);
});

test('problems come first, each with what to do: a page, or a command', async () => {
  chmodSync(service.config.dataDir, 0o755);
  const broken = await service.addSite('fail:refuse', 'Haus <B>');
  await service.beside.syncs.noteFailure(
    (await service.beside.sites.list()).at(-1)?.id ?? assert.fail(),
    'no',
  );
  const { text } = await admin.get('/health');
  const said = readable(text);
  assert.match(
    said,
    /^ Systemzustand Störungen Haus &lt;B&gt; Ein technischer Fehler ist aufgetreten\. .*Technische Meldung: this simulated site is told to fail/,
  );
  assert.match(text, new RegExp(`<a class="button mend" href="/sites/${broken}">Standort ansehen`));
  assert.match(
    said,
    /Hinweise Datenordner Auch andere Benutzer des Servers haben Zugriff auf .* chmod 700 \//,
  );
  assert.doesNotMatch(said, /Abgleich von Haus/, 'the failing controller is the reason');
  assert.ok(said.indexOf('Störungen') < said.indexOf('Hinweise'));
  assert.match(said, /\d+ Punkte in Ordnung/);
  assert.match(text, /<details>/);

  for (const name of ['C', 'D', 'E', 'F', 'G']) await service.addSite('fail:refuse', `Haus ${name}`);
  const german = readable((await admin.get('/health')).text);
  assert.equal(german.split('Ein technischer Fehler ist aufgetreten').length, 7);
  assert.doesNotMatch(german.replaceAll(/Technische Meldung: [^.]*/g, ''), /\b(and|more|of|the)\b/);

  await admin.post('/language', { language: 'en', next: '/health' });
  const english = readable((await admin.get('/health')).text);
  assert.match(english, /^ System health Problems Haus &lt;B&gt; A technical error occurred\./);
  assert.match(english, /Hints Data folder Other users of the server can access .* chmod 700 \//);
});

test('addresses that only a password can sign in are listed in both languages, with a command', async () => {
  service.change(
    "insert into users (email, name, role, password_hash, active, created_at_ms) values ('özgür@example.org', 'x', 'operator', '-', 1, 1)",
  );
  const said = async () => readable((await admin.get('/health')).text);
  assert.match(
    await said(),
    /password only, not through single sign-on or a proxy: özgür@example\.org\. .* gastpass users change-email/,
  );
  await admin.post('/language', { language: 'de', next: '/health' });
  assert.match(
    await said(),
    /nur mit dem Passwort anmelden, .*: özgür@example\.org\. .* gastpass users change-email/,
  );
  service.change("delete from users where email = 'özgür@example.org'");
  assert.doesNotMatch(await said(), /change-email/);
});

test('an API key that ends soon is a hint with a link, in both languages', async () => {
  const nowMs = service.clock.nowMs();
  const key = { scope: 'write', rateLimit: 0, expiresAtMs: nowMs + 86_400_000 } as const;
  const by = { actor: TESTER, atMs: nowMs - 60 * 86_400_000 };
  await service.beside.issueKey({ ...key, name: 'Kasse <B>' }, by);
  const { text } = await admin.get('/health');
  assert.match(
    readable(text),
    /API-Schlüssel Kasse &lt;B&gt; läuft am .* Uhr ab\. .* Den Schlüssel verlängern/,
  );
  assert.match(text, /<a class="button mend" href="\/keys">/);
  await admin.post('/language', { language: 'en', next: '/health' });
  assert.match(readable((await admin.get('/health')).text), /API keys Kasse &lt;B&gt; expires on .* Extend/);
  await admin.post('/language', { language: 'de', next: '/health' });
  service.change("delete from api_keys where name = 'Kasse <B>'");
});

test('the public address is called, and a hint says in both languages that another program answers', async () => {
  const set = (publicUrl: string | null) =>
    service.beside.settings.change({ publicUrl }, { actor: TESTER, atMs: service.clock.nowMs() });
  const said = async (language: Language) => {
    await admin.post('/language', { language, next: '/health' });
    return readable((await admin.get('/health')).text);
  };
  const { port } = new URL(service.url);
  await set(`http://0.0.0.0:${port}`);
  assert.doesNotMatch(await said('de'), /Öffentliche Adresse .* Öffentliche Adresse/);
  const other = createHttpServer((_, response) => response.writeHead(502).end('Bad Gateway')).listen(0);
  await once(other, 'listening');
  const address = other.address();
  await set(`http://0.0.0.0:${typeof address === 'object' ? address?.port : 0}`);
  assert.match(await said('en'), /Not Gastpass but another program answers at .* \(status 502\)/);
  assert.match(await said('de'), /antwortet nicht Gastpass, sondern ein anderes Programm \(Status 502\)/);
  other.close();
  await set(null);
});

test('a time zone that this machine does not know is shown here and on the page of its site', async () => {
  const id = await service.addSite('default', 'Haus Z');
  service.change(`update sites set time_zone = 'Europe/Atlantis' where id = ${id}`);
  const { text } = await admin.get('/health');
  assert.match(
    readable(text),
    /Zeitzone von Haus Z Dieser Server kennt die Zeitzone „Europe\/Atlantis“ nicht\./,
  );
  assert.match(text, new RegExp(`<a class="button mend" href="/sites/${id}#time-zone">`));
  const site = await admin.get(`/sites/${id}`);
  assert.match(site.text, /<a href="#time-zone">Eine andere Zeitzone wählen/);
  const saved = await admin.post(`/sites/${id}`, { name: 'Haus Z', site: 'default', 'time-zone': '' });
  assert.equal(saved.status, 303);
  assert.doesNotMatch((await admin.get('/health')).text, /Atlantis/);
});

test('the age of waiting notifications is said in hours and days', async () => {
  const id = await addWebhookTo(service.beside, 'https://chat.example/x');
  const wait = (event: string, hours: number) =>
    service.change(
      insertDelivery({ webhook: id, event, occurredAtMs: service.clock.nowMs() - hours * 3_600_000 }),
    );
  const said = async (language: Language) => {
    await admin.post('/language', { language, next: '/health' });
    return readable((await admin.get('/health')).text);
  };
  wait('one', 5);
  assert.match(await said('de'), /Eine Benachrichtigung wartet schon 5 Std\./);
  assert.match(await said('en'), /1 notification has been waiting for 5 hr\./);
  wait('two', 48);
  assert.match(await said('de'), /2 Benachrichtigungen warten, die älteste schon 2 Tage\./);
  assert.match(await said('en'), /2 notifications are waiting, the oldest for 2 days\./);
  service.change('delete from webhooks');
});

test('many tables and many controllers are one problem each, listed in the language of the reader', () => {
  const fact = { kind: 'clock-off', nowMs: 0, aheadMs: 600_000, isDatabase: true } as const;
  const rights = { kind: 'postgresql-rights', role: 'r', schema: 's' } as const;
  const say = (language: Language, names: string[]) => {
    const { said } = MESSAGES[language].health;
    const formats: Formats = {
      time: String,
      day: String,
      duration: (ms) => `${ms / 60_000} min`,
      volume: String,
      names: (some, rest) => listNames(some, { rest, language }),
      mend: String,
    };
    const texts = [
      said['clock-off']({ ...fact, sites: names }, formats),
      said['postgresql-rights']({ ...rights, tables: names }, formats),
    ];
    return texts.map(({ text }) => text.replace(/^.* (gegenüber|behind|schreiben:|tables:) |\. .*$/g, ''));
  };
  assert.deepEqual(say('de', ['A', 'B', 'C', 'D', 'E']), [
    'der Uhr des Datenbankservers sowie den Uhren der Konsolen von A, B, C und 2 weiteren um 10 min nach',
    'A, B, C und 2 weitere.',
  ]);
  assert.deepEqual(say('en', ['A', 'B', 'C', 'D']), [
    'the clock of the database server and the clocks of the controllers of A, B, C and D',
    'A, B, C and D.',
  ]);
  assert.deepEqual(
    say('de', ['A'])[0],
    'der Uhr des Datenbankservers sowie der Uhr der Konsole von A um 10 min nach',
  );
});

test('a controller that never answers is reported in time, and the rest is examined', async (t) => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const silentId = await service.beside.sites.add(
    {
      name: 'Stumm',
      active: true,
      controllerKind: 'unifi',
      controllerSite: 'default',
      connection: {
        url: `https://127.0.0.1:${port}`,
        credentials: { apiKey: 'x' },
        trust: { kind: 'insecure' },
      },
    },
    { actor: TESTER, atMs: service.clock.nowMs() },
  );
  const findings = await examineInstallation(service.beside, service.config, {
    checks: await loadChecks(),
    pages: 'unchecked',
    examineService: async () => [],
    explain: String,
    controllerPatienceMs: 50,
    patienceMs: 5_000,
  });
  const silentSite = findings.find(({ fact }) => fact.kind === 'site-failing' && fact.siteId === silentId);
  assert.equal(silentSite?.state, 'fault');
  const kinds = findings.map(({ fact }) => fact.kind);
  for (const kind of [engine === 'sqlite' ? 'database-ok' : 'postgresql-ok', 'intents-ok'])
    assert.ok(
      kinds.some((found) => found === kind),
      kinds.join(', '),
    );
});
