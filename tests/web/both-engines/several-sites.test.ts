// Tests adding several sites of a controller in one step. All sites are added or none, and a form that is sent twice adds
// them once.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type SimulatedConsole, startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { TESTER } from '../../support/actors.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { hiddenOf, loginTo, ticked } from '../site-form.ts';
import { addUser, loggedIn, type WebClient } from '../web-client.ts';

const STORE = '/sites/new/store';
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
        `${LONG_NAME}[123]:.*keinen Testvoucher erstellt.*nicht genug Rechte.*Gespeichert wurde nichts`,
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
