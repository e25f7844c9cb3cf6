// Tests the health page: problems first, each with a way out, in both languages; what is fine is folded; a controller
// that never answers does not hold the page up.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { examineOpened } from '../../src/app/health/examine.ts';
import { ok } from '../../src/app/health/finding.ts';
import { TESTER } from '../support/actors.ts';
import { engine } from '../support/engine.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, signedIn, type WebClient } from './web-client.ts';

let service: TestService;
let admin: WebClient;
before(async () => {
  service = await startTestService();
  await addUser(service, 'admin@example.org', 'admin');
  admin = await signedIn(service, 'admin@example.org');
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
  assert.match(text, /<a class="item" href="\/health" aria-current="page">/);
  const said = readable(text);
  assert.match(said, /Systemzustand Alles in Ordnung\. /);
  assert.match(text, /<details open>/);
  for (const fine of [
    /Datenordner \//,
    /Speicherplatz [\d.,]+ [MG]B \(\d+ %\) frei/,
    /Datenbank Lesen und Schreiben funktionieren/,
    /Dienst Läuft, Version \d/,
    /Zeitzone Europe\/Berlin/,
    /Demo Der Controller funktioniert/,
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
    /^ Systemzustand Störungen Haus &lt;B&gt; Der Controller funktioniert nicht\. .*Technische Meldung: this simulated site is told to fail/,
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

  await admin.post('/language', { language: 'en', next: '/health' });
  const english = readable((await admin.get('/health')).text);
  assert.match(english, /^ System health Problems Haus &lt;B&gt; The controller does not work\./);
  assert.match(english, /Hints Data folder Other users of the server can access .* chmod 700 \//);
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
      access: {
        url: `https://127.0.0.1:${port}`,
        credentials: { apiKey: 'x' },
        trust: { kind: 'insecure' },
      },
    },
    { actor: TESTER, atMs: service.clock.nowMs() },
  );
  const findings = await examineOpened(service.beside, service.config, {
    note: '',
    examineService: async () => ok('service', 'running', { kind: 'service-ok', version: '1' }),
    controllerPatienceMs: 50,
    patienceMs: 5_000,
  });
  const onlyEnglish = findings.filter(({ fact }) => fact === undefined).map(({ about }) => about);
  assert.deepEqual(onlyEnglish, [], 'every finding has a fact, which pages put into words');
  const states = findings.map(({ about, state }) => `${about} ${state}`);
  assert.ok(states.includes(`site ${silentId} (Stumm) fault`), states.join(', '));
  assert.ok(states.includes(`${engine === 'sqlite' ? 'database' : 'PostgreSQL'} ok`), states.join(', '));
  assert.ok(states.includes('open intents ok'), states.join(', '));
});
