// Tests the sync state of each site in `sites list` and `doctor`: never, ok, stale or failing. Also tests the option
// that decides whether vouchers created elsewhere are imported.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openInstallation } from '../../src/app/installation.ts';
import { lockForService } from '../../src/platform/database/service-lock.ts';
import { TESTER } from '../support/actors.ts';
import { type Ended, makeFolder, runGastpass } from '../support/run-gastpass.ts';
import { configOf } from '../support/test-service.ts';

const MINUTE_MS = 60_000;
const NAMES = ['nie', 'gut', 'alt', 'gestört', 'nie gut', 'erholt'];

const { folder: dataDir, remove } = makeFolder();
let nowMs: number;
let stopService: () => void;

/** Adds sites with syncs of different age and outcome; a sync is stale after three times the interval of 60 s. */
before(async () => {
  nowMs = Date.now();
  let atMs = nowMs;
  const installation = await openInstallation(await configOf(dataDir), { nowMs: () => atMs });
  const ago = (ms: number) => {
    atMs = nowMs - ms;
    return installation.syncs;
  };
  const { sites, users } = installation;
  const audit = { actor: TESTER, atMs: nowMs };
  const simulated = {
    active: true,
    controllerKind: 'simulator' as const,
    controllerSite: 'default',
    connection: null,
  };
  const [, ok, stale, failing, neverGood, recovered] = [
    await sites.add({ name: 'nie', ...simulated }, audit),
    await sites.add({ name: 'gut', ...simulated }, audit),
    await sites.add({ name: 'alt', ...simulated }, audit),
    await sites.add({ name: 'gestört', ...simulated }, audit),
    await sites.add({ name: 'nie gut', ...simulated }, audit),
    await sites.add({ name: 'erholt', ...simulated }, audit),
  ];
  await ago(0).noteSuccess(ok);
  await ago(10 * MINUTE_MS).noteSuccess(stale);
  await ago(2 * MINUTE_MS).noteSuccess(failing);
  await ago(MINUTE_MS).noteFailure(failing, 'the controller failed (500)');
  await ago(0).noteFailure(neverGood, 'the controller rejects the API key (401)');
  await ago(MINUTE_MS).noteFailure(recovered, 'it was away');
  await ago(0).noteSuccess(recovered);
  await users.add(
    { email: 'ada@example.org', name: 'Ada', role: 'admin', passwordHash: '-', createdAtMs: 0 },
    { actor: TESTER, atMs: 0 },
  );
  await installation.close();
  stopService = lockForService(dataDir);
});
after(() => {
  stopService();
  remove();
});

const gastpass = (words: string[], environment = {}): Promise<Ended> =>
  runGastpass(words, { dataDir, environment });

async function listed(environment = {}): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await gastpass(['sites', 'list', '--json'], environment);
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout);
}

const time = (ms: number) => new Date(ms).toISOString();

test('sites list shows the sync state, the last successful sync and the error of each site', async () => {
  const byName = new Map((await listed()).map((site) => [site.name, site]));
  const told = NAMES.map((name) => {
    const { sync, synced_at, sync_error } = byName.get(name) ?? {};
    return [name, sync, synced_at, sync_error];
  });
  assert.deepEqual(told, [
    ['nie', 'never', null, null],
    ['gut', 'ok', time(nowMs), null],
    ['alt', 'stale', time(nowMs - 10 * MINUTE_MS), null],
    ['gestört', 'failing', time(nowMs - 2 * MINUTE_MS), 'the controller failed (500)'],
    ['nie gut', 'failing', null, 'the controller rejects the API key (401)'],
    ['erholt', 'ok', time(nowMs), null],
  ]);

  const { stdout } = await gastpass(['sites', 'list']);
  const row = stdout.split('\n').find((line) => / gestört /.test(line));
  assert.deepEqual(row?.split(/ {2,}/).slice(-3), [
    'failing',
    time(nowMs - 2 * MINUTE_MS),
    'the controller failed (500)',
  ]);
});

test('the age at which a sync is stale depends on the configured interval', async () => {
  const old = (await listed({ SYNC_INTERVAL_S: '600' })).find(({ name }) => name === 'alt');
  assert.equal(old?.sync, 'ok');
});

test('doctor warns about stale and failing syncs, and says what to do', async () => {
  const { code, stdout, stderr } = await gastpass(['doctor', '--json']);
  assert.deepEqual([code, stderr], [0, ''], 'a warning is not a fault');
  const findings: { state: string; about: string; text: string }[] = JSON.parse(stdout);
  const found = findings.filter(({ about }) => about.startsWith('Sync of site'));
  const told = NAMES.map((name) => {
    const finding = found.find(({ about }) => about.endsWith(` (${name})`));
    return [finding?.state, finding?.text.replace(/\d+ \w+ \d{4}, \d\d:\d\d UTC/, 'then')];
  });
  assert.deepEqual(told, [
    ['ok', 'Not yet done'],
    ['ok', 'Last successful: then'],
    [
      'warning',
      'No sync since then; the usage shown is out of date. Sync the site now. If that does not help, restart the service. To sync it now: gastpass sync --site 3',
    ],
    [
      'warning',
      'No success since then: the controller failed (500). The service keeps trying. To sync it now: gastpass sync --site 4',
    ],
    [
      'warning',
      'No success yet: the controller rejects the API key (401). The service keeps trying. To sync it now: gastpass sync --site 5',
    ],
    ['ok', 'Last successful: then'],
  ]);
});

test('doctor does not warn about the syncs of an inactive site', async () => {
  assert.equal((await gastpass(['sites', 'set', '3', '--inactive'])).code, 0);
  const { stdout } = await gastpass(['doctor']);
  assert.doesNotMatch(stdout, /Sync of site 3/);
  assert.match(stdout, /Site 3 \(alt\): Inactive/);
});

test('sites list shows the result of gastpass sync', async () => {
  assert.equal((await gastpass(['sync'])).code, 0);
  const active = (await listed()).filter((site) => site.active);
  assert.deepEqual(
    active.map(({ sync, sync_error }) => [sync, sync_error]),
    active.map(() => ['ok', null]),
  );
});

test('import is on by default, and can be turned off when a site is added or later', async () => {
  const add = ['sites', 'add', '--controller', 'simulator', '--name'];
  const isOn = async (id: string) => (await listed()).find((site) => site.id === Number(id))?.import;
  for (const [words, expected] of [
    [[], true],
    [['--import', 'on'], true],
    [['--import', 'off'], false],
  ] as const) {
    const { code, stdout } = await gastpass([...add, 'neu', ...words]);
    assert.equal(code, 0);
    assert.equal(await isOn(stdout), expected, words.join(' '));
  }
  for (const choice of ['off', 'on']) {
    const set = await gastpass(['sites', 'set', '1', '--import', choice]);
    assert.deepEqual([set.code, set.stdout, set.stderr], [0, '', '']);
    assert.equal(await isOn('1'), choice === 'on');
  }
  assert.equal((await gastpass(['sites', 'set', '1', '--import', 'off'])).code, 0);
  assert.equal((await gastpass(['sites', 'set', '1', '--name', 'anders'])).code, 0);
  assert.equal(await isOn('1'), false, 'another change does not affect the import');
});

test('any other value of --import is a usage error, and changes nothing', async () => {
  const before = await listed();
  for (const word of ['yes', 'ON', '']) {
    const wrong = await Promise.all([
      gastpass(['sites', 'set', '2', '--name', 'x', `--import=${word}`]),
      gastpass(['sites', 'add', '--name', 'x', '--controller', 'simulator', `--import=${word}`]),
    ]);
    for (const { code, stdout, stderr } of wrong) {
      assert.deepEqual([code, stdout], [2, ''], word);
      assert.match(stderr, word === '' ? /--import must not be empty/ : /--import: expected one of on, off/);
    }
  }
  assert.deepEqual(await listed(), before);
});
