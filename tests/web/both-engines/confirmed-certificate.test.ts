// Tests that a problem of a site is gone at once after an administrator has fixed it: the new certificate is confirmed,
// or the site is tested again. No sync runs in between.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type SimulatedConsole, startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { asSiteId, type SiteId } from '../../../src/kernel/ids.ts';
import { isFailing } from '../../../src/kernel/sites/site-sync.ts';
import { TESTER } from '../../support/actors.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { hiddenOf, pinOf } from '../site-form.ts';
import { addUser, loggedIn, type WebClient } from '../web-client.ts';

const CHANGED = /Zertifikat der Konsole hat sich geändert|ein anderes Zertifikat|jemand mitzulesen/;
/** The number of problems in the menu. */
const BADGE = /id="menu-problems" data-part>\d/;
const OLD = '0'.repeat(64);

let service: TestService;
let admin: WebClient;
let console: SimulatedConsole;
before(async () => {
  service = await startTestService({ webhook: true });
  await addUser(service, 'anna@example.org', 'admin');
  admin = await loggedIn(service, 'anna@example.org');
  console = await startSimulatedConsole();
});
after(async () => {
  await service.stop();
  await console.stop();
});

function addSite(kind: 'unifi' | 'unifi-classic', fingerprint256: string, controllerSite: string) {
  const { url, apiKey, username, password } = console;
  const credentials = kind === 'unifi' ? { apiKey } : { username, password };
  const connection = { url, credentials, trust: { kind: 'pinned' as const, fingerprint256 } };
  return service.beside.sites.add(
    { name: `Haus ${kind}`, active: true, controllerKind: kind, controllerSite, connection },
    { actor: TESTER, atMs: service.clock.nowMs() },
  );
}

const colons = (hex: string) => hex.replace(/(..)(?=.)/g, '$1:');

/** The pages that show problems of a site. */
const pagesOf = (id: SiteId) => [`/sites/${id}`, '/sites', '/', '/overview'];

async function expectProblem(id: SiteId, problem: RegExp): Promise<void> {
  for (const path of pagesOf(id)) {
    const { text } = await admin.get(path);
    assert.match(text, problem, path);
    assert.match(text, BADGE, path);
  }
}

async function expectNoProblem(id: SiteId, problem: RegExp): Promise<void> {
  for (const path of pagesOf(id)) {
    const { text } = await admin.get(path);
    assert.doesNotMatch(text, problem, path);
    assert.doesNotMatch(text, BADGE, path);
  }
  assert.match((await admin.get('/overview')).text, /Alles in Ordnung/);
  const sync = (await service.beside.syncs.list()).get(asSiteId(id));
  assert.ok(sync && !isFailing(sync), 'other instances see it too');
}

for (const [kind, controllerSite] of [
  ['unifi', 'default'],
  ['unifi-classic', 'k3w9x2pb'],
] as const)
  describe(`a site on ${kind}`, () => {
    test('has no problem any more after its new certificate was confirmed and tested', async () => {
      const id = await addSite(kind, OLD, controllerSite);
      await admin.post(`/sites/${id}/sync`, {});
      await expectProblem(id, CHANGED);

      const shown = await admin.post(`/sites/${id}/access`, { url: console.url });
      const asked = await admin.post(`/sites/${id}/access/certificate`, hiddenOf(shown.text));
      const choice = await admin.post(`/sites/${id}/access/site`, hiddenOf(asked.text));
      const saved = await admin.post(`/sites/${id}/access/store`, {
        ...hiddenOf(choice.text),
        site: controllerSite,
      });
      assert.equal(saved.location, `/sites/${id}`);
      await expectNoProblem(id, CHANGED);
      const { text } = await admin.get(`/audit?site=${id}`);
      const now = console.fingerprint256;
      assert.match(
        text.replace(/<[^>]+>/g, ''),
        new RegExp(
          `anna hat das neue Zertifikat von Haus ${kind} bestätigt: bisher: „${colons(OLD)}“; jetzt: „${now}“`,
        ),
      );
      assert.doesNotMatch(text, /geändert: /, 'nothing else was changed');
      const english = (await admin.get(`/audit?site=${id}`, { 'accept-language': 'en' })).text;
      assert.match(english.replace(/<[^>]+>/g, ''), /anna confirmed the new certificate of Haus/);
      const again = await admin.post(`/sites/${id}/access`, { url: console.url });
      assert.match(again.text, /Bisher bestätigt|dasselbe Zertifikat/);
    });

    test('has no problem any more after a test voucher could be created', async () => {
      const id = await addSite(kind, pinOf(console), controllerSite);
      await service.beside.syncs.noteFailure(id, 'no connection', 'nobody-answers');
      await expectProblem(id, /antwortet nicht/);
      await admin.post(`/sites/${id}/test`, {});
      await expectNoProblem(id, /antwortet nicht/);
    });
  });
