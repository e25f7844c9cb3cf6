// Tests adding several sites of a controller in one step, and adding further sites with the access of a site that
// exists. All sites are added or none, a form that is sent twice adds them once, and the access never leaves the
// server.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type SimulatedConsole, startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import type { TlsTrust } from '../../../src/kernel/sites/controller-connection.ts';
import { TESTER } from '../../support/actors.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { credentialsOf, hiddenOf, loginTo, pinOf, ticked } from '../site-form.ts';
import { addUser, loggedIn, PASSWORD, type WebClient } from '../web-client.ts';

const MINUTE_MS = 60_000;
const STORE = '/sites/new/store';
const REUSE = '/sites/new/reuse';
const LONG_NAME = 'Ferienhaus'.repeat(4);

let service: TestService;
let admin: WebClient;
before(async () => {
  service = await startTestService();
  await addUser(service, 'anna@example.org', 'admin');
  admin = await loggedIn(service, 'anna@example.org');
});
after(() => service.stop());

/** A console with sites `s1`, `s2` and so on. */
async function withConsole(count: number, use: (console: SimulatedConsole) => Promise<void>): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const console = await startSimulatedConsole({
    sites: numbers.map((number) => ({ name: `s${number}`, desc: `${LONG_NAME}${number}` })),
    loginsPerMinute: null,
  });
  try {
    await use(console);
  } finally {
    await console.stop();
  }
}

const storedOn = ({ url }: SimulatedConsole) =>
  service.rows(`select * from sites where controller_url = '${url}' order by id`);
const addedNames = () =>
  service
    .rows(`select subject from audit where action = 'site.added' order by id`)
    .map(({ subject }) => subject);

test('ticked sites are tested and added in one step, with an audit entry for each', () =>
  withConsole(40, async (console) => {
    const choice = await loginTo(admin, console);
    assert.ok(choice.text.length < 100_000, String(choice.text.length));
    const site = Array.from({ length: 40 }, (_, index) => `s${index + 1}`);
    const made = await admin.post(STORE, { ...ticked(choice.text, site), 'name-s2': 'Haus am See' });
    assert.deepEqual([made.status, made.location], [303, '/sites']);
    const rows = storedOn(console);
    assert.equal(rows.length, 40);
    assert.partialDeepStrictEqual(
      { ...rows[0] },
      { name: `${LONG_NAME}1`, active: 1, controller_site: 's1' },
    );
    assert.partialDeepStrictEqual({ ...rows[1] }, { name: 'Haus am See', controller_site: 's2' });
    assert.deepEqual(
      addedNames().slice(-40),
      rows.map(({ id, name }) => `site ${id} (${name})`),
    );
    const { create, delete: deleted } = console.controls.counters().requests;
    assert.deepEqual([create, deleted, console.controls.vouchers()], [40, 40, []]);
    assert.match((await admin.get('/sites')).text, /Die Standorte sind eingerichtet/);
    const full = await loginTo(admin, console);
    assert.match(full.text, /Alle Sites dieser Konsole sind schon eingerichtet/);
    assert.doesNotMatch(full.text, /type="submit">Testen und speichern/);
  }));

test('if one test fails, no site is added; the page names the site, and all can be stored as inactive', () =>
  withConsole(3, async (console) => {
    const fields = ticked((await loginTo(admin, console)).text, ['s1', 's2', 's3']);
    console.controls.setFault({ kind: 'status', status: 403, match: 'create' });
    const refused = await admin.post(STORE, fields);
    assert.equal(refused.status, 422);
    assert.match(
      refused.text,
      new RegExp(
        `${LONG_NAME}[123]:.*keinen Testvoucher erstellt.*nicht genug Rechte.*Es wurde nichts gespeichert`,
        's',
      ),
    );
    assert.equal(refused.text.match(/name="site" value="s\d" checked/g)?.length, 3, 'the ticks are kept');
    assert.deepEqual([storedOn(console), console.controls.vouchers()], [[], []]);
    const stored = await admin.post(STORE, { ...ticked(refused.text, ['s1', 's3']), anyway: 'yes' });
    assert.equal(stored.location, '/sites');
    assert.deepEqual(
      storedOn(console).map(({ active, controller_site }) => [active, controller_site]),
      [
        [0, 's1'],
        [0, 's3'],
      ],
    );
  }));

test('a site that cannot be stored keeps the others from being stored', async () => {
  const [site] = await service.beside.sites.list();
  assert.ok(site);
  const count = addedNames().length;
  const { sites } = service.beside;
  const audit = { actor: TESTER, atMs: 1 };
  await assert.rejects(
    sites.addAll(
      [
        { ...site, name: 'gut' },
        { ...site, name: 'un\0gut' },
      ],
      audit,
    ),
  );
  assert.deepEqual(service.rows(`select id from sites where name = 'gut'`), []);
  assert.equal(addedNames().length, count);
});

test('a form that is sent twice adds its sites once', () =>
  withConsole(2, async (console) => {
    const fields = ticked((await loginTo(admin, console)).text, ['s1', 's2']);
    const sent = await Promise.all([admin.post(STORE, fields), admin.post(STORE, fields)]);
    assert.deepEqual(sent.map(({ status }) => status).toSorted(), [303, 409]);
    assert.equal(storedOn(console).length, 2);
  }));

test('of a long list the page shows a part, which can be searched', () =>
  withConsole(400, async (console) => {
    const choice = await loginTo(admin, console);
    assert.match(choice.text, /Die Konsole hat 400 Sites/);
    assert.ok(choice.text.length < 100_000, String(choice.text.length));
    assert.doesNotMatch(choice.text, /value="s399"/);
    const found = await admin.post(STORE, { ...hiddenOf(choice.text), find: 'haus399' });
    assert.deepEqual(found.text.match(/name="site" value="s\d+"/g), ['name="site" value="s399"']);
    const { location } = await admin.post(STORE, ticked(found.text, 's399'));
    assert.match(location ?? '', /^\/sites\/\d+$/);
    const all = Array.from({ length: 101 }, (_, index) => `s${index + 1}`);
    const again = await loginTo(admin, console);
    const refused = await admin.post(STORE, { ...ticked(again.text, all), name: 'Haus' });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /höchstens 100 Sites auf einmal/);
    assert.equal(storedOn(console).length, 1);
  }));

test('a console without a site, or with more than it may send, is refused with a reason', async () => {
  await withConsole(0, async (console) => {
    const { status, text } = await loginTo(admin, console);
    assert.equal(status, 422);
    assert.match(text, /nicht genug Rechte/);
  });
  // Together more than 4 MB.
  const sites = Array.from({ length: 6_000 }, (_, index) => ({ name: `s${index}`, desc: 'x'.repeat(900) }));
  const console = await startSimulatedConsole({ sites, loginsPerMinute: null });
  const { status, text } = await loginTo(admin, console, { kind: 'unifi-classic' });
  await console.stop();
  assert.equal(status, 422);
  assert.match(text, /Die Anmeldung ist fehlgeschlagen/);
});

for (const kind of ['unifi', 'unifi-classic'])
  describe(`the access of a site on ${kind}`, () => {
    test('is used for further sites after the password was entered, without leaving the server', () =>
      withConsole(3, async (console) => {
        const fields = ticked((await loginTo(admin, console, { kind })).text, 's1');
        await admin.post(STORE, { ...fields, 'name-s1': 'Haus A' });
        const [first] = storedOn(console);
        const from = String(first?.id);
        const offer = await admin.get('/sites/new');
        assert.match(offer.text, new RegExp(`value="${from}">Verbindung von „Haus A“ übernehmen`));

        service.clock.advance(11 * MINUTE_MS);
        const before = console.controls.counters().requestsInAll;
        const asked = await admin.post(REUSE, { from });
        assert.equal(asked.status, 401);
        const wrong = await admin.post(REUSE, { from, 'confirm-password': 'falsch' });
        assert.equal(wrong.status, 401);
        assert.equal((await admin.post(`${REUSE}/store`, { from, site: 's2', name: 'x' })).status, 401);
        assert.equal(console.controls.counters().requestsInAll, before, 'nothing is sent before');

        const choice = await admin.post(REUSE, { ...hiddenOf(asked.text), 'confirm-password': PASSWORD });
        assert.equal(choice.status, 200);
        assert.match(choice.text, /gehört schon zu „Haus A“/);
        const pages = [offer, asked, wrong, choice];
        for (const secret of Object.values(credentialsOf(console, kind)))
          for (const { text } of pages) assert.ok(!text.includes(secret));
        for (const { text } of pages) assert.doesNotMatch(text, /name="sealed"/);

        const made = await admin.post(`${REUSE}/store`, ticked(choice.text, ['s2', 's3']));
        assert.equal(made.location, '/sites');
        const connections = (await service.beside.sites.list())
          .filter(({ connection }) => connection?.url === console.url)
          .map(({ controllerKind, connection }) => JSON.stringify([controllerKind, connection]));
        assert.deepEqual([connections.length, new Set(connections).size], [3, 1]);
      }));
  });

test('an access without a confirmed certificate or with an unknown number is not reused', () =>
  withConsole(2, async (console) => {
    const trusts: TlsTrust[] = [{ kind: 'insecure' }, { kind: 'unconfirmed' }];
    const ids = ['0', 'x', '1'];
    for (const trust of trusts) {
      const connection = { url: console.url, credentials: { apiKey: console.apiKey }, trust };
      const site = { name: trust.kind, active: false, controllerKind: 'unifi', controllerSite: 's1' };
      const audit = { actor: TESTER, atMs: 1 };
      ids.push(String(await service.beside.sites.add({ ...site, connection }, audit)));
    }
    for (const from of ids) {
      const { status, text } = await admin.post(REUSE, { from });
      assert.equal(status, 422);
      assert.match(text, /Diese Verbindung gibt es nicht mehr/);
    }
    assert.equal(console.controls.counters().requestsInAll, 0);
  }));

test('a console that is away or has another certificate keeps its sites, and the page says why', () =>
  withConsole(2, async (console) => {
    const credentials = { apiKey: console.apiKey };
    const audit = { actor: TESTER, atMs: 1 };
    const site = { name: 'Haus A', active: true, controllerKind: 'unifi', controllerSite: 's1' };
    const of = (fingerprint256: string) => ({
      url: console.url,
      credentials,
      trust: { kind: 'pinned' as const, fingerprint256 },
    });
    const changed = await service.beside.sites.add({ ...site, connection: of('0'.repeat(64)) }, audit);
    const refused = await admin.post(REUSE, { from: String(changed) });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /ein anderes Zertifikat als das bestätigte/);
    const good = await service.beside.sites.add({ ...site, connection: of(pinOf(console)) }, audit);
    console.controls.setFault({ kind: 'status', status: 503, times: 'always' });
    const away = await admin.post(REUSE, { from: String(good) });
    assert.match(away.text, /meldet einen internen Fehler/);
  }));
