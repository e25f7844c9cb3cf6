// Tests the real command `gastpass sync`: all active sites or one, what it imports, and what it does when a site fails.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type SimulatedConsole, startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { openInstallation } from '../../../src/app/installation.ts';
import { TESTER } from '../../support/actors.ts';
import { openRecords, readRecords } from '../../support/engine.ts';
import { callApi, makeFolder, runGastpass, startGastpass } from '../../support/run-gastpass.ts';
import { configOf } from '../../support/test-service.ts';

const { folder: dataDir, remove } = makeFolder();
let healthy: SimulatedConsole;
let key: string;

before(async () => {
  healthy = await startSimulatedConsole();
  const gone = await startSimulatedConsole();
  await gone.stop();
  const installation = await openInstallation(await configOf(dataDir));
  const audit = { actor: TESTER, atMs: Date.now() };
  const onConsole = ({ url, apiKey }: SimulatedConsole) => ({
    controllerKind: 'unifi' as const,
    controllerSite: 'default',
    connection: { url, credentials: { apiKey }, trust: { kind: 'insecure' as const } },
  });
  const simulated = { controllerKind: 'simulator' as const, controllerSite: 'default', connection: null };
  const sites = [
    { name: 'Haus A', active: true, ...onConsole(healthy) },
    { name: 'Haus B', active: true, ...simulated },
    { name: 'Haus C', active: true, ...onConsole(gone) },
    { name: 'Haus D', active: false, ...onConsole(healthy), controllerSite: 'k3w9x2pb' },
  ];
  for (const site of sites) await installation.sites.add(site, audit);
  key = (
    await installation.issueKey(
      { name: 'Theke', scope: 'write', rateLimit: 0 },
      { actor: TESTER, atMs: Date.now() },
    )
  ).keyText;
  await installation.close();
});
after(async () => {
  await healthy.stop();
  remove();
});

const sync = (...words: string[]) => runGastpass(['sync', ...words], { dataDir });

const ask = (sql: string) => readRecords(dataDir, sql);

function change(sql: string): void {
  const records = openRecords(dataDir);
  try {
    records.change(sql);
  } finally {
    records.close();
  }
}

test('all active sites are synced, even if one of them fails', async () => {
  healthy.controls.fill({ count: 3, note: 'Tagung' });
  const { code, stdout, stderr } = await sync();
  assert.deepEqual([code, stderr], [1, 'gastpass: 1 of 3 sites not synced\n']);
  const [head, ...lines] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  assert.deepEqual(head, ['ID', 'NAME', 'LISTED', 'CHANGED', 'GONE', 'IMPORTED', 'PROBLEM']);
  assert.deepEqual(lines.slice(0, 2), [
    ['1', 'Haus A', '3', '0', '0', '3', '-'],
    ['2', 'Haus B', '0', '0', '0', '0', '-'],
  ]);
  assert.deepEqual(lines[2]?.slice(0, 6), ['3', 'Haus C', '-', '-', '-', '-']);
  assert.match(lines[2]?.[6] ?? '', /^no connection to the controller/);
  assert.equal(ask('select * from vouchers where site_id = 1').length, 3);
  assert.deepEqual(
    ask('select site_id from site_syncs where synced_at_ms is not null order by site_id').map(
      (row) => row.site_id,
    ),
    [1, 2],
  );
});

test('a single site, also an inactive one, is synced with --site and JSON output', async () => {
  const [used] = healthy.controls.vouchers('default');
  assert.ok(used && healthy.controls.redeem(used).ok);
  const { code, stdout, stderr } = await sync('--site', '1', '--json');
  assert.deepEqual([code, stderr], [0, '']);
  const tally = { listed: 3, changed: 1, gone: 0, imported: 0, problem: null };
  assert.deepEqual(JSON.parse(stdout), [{ id: 1, name: 'Haus A', ...tally }]);
  assert.equal(ask('select * from vouchers where used_count = 1').length, 1);

  healthy.controls.fill({ site: 'k3w9x2pb' });
  const off = await sync('--site', '4', '--json');
  assert.deepEqual([off.code, JSON.parse(off.stdout)[0].imported], [0, 1]);
});

test('a failing site is reported with its reason, also in JSON', async () => {
  const { code, stdout, stderr } = await sync('--site', '3', '--json');
  assert.deepEqual([code, stderr], [1, 'gastpass: 1 of 1 site not synced\n']);
  const [{ problem, ...rest }] = JSON.parse(stdout);
  assert.match(problem, /ECONNREFUSED/);
  assert.deepEqual(rest, { id: 3, name: 'Haus C', listed: null, changed: null, gone: null, imported: null });
  assert.ok(!stdout.includes(healthy.apiKey));
});

test('an unknown site is a failure, an invalid site id is a usage error', async () => {
  const unknown = await sync('--site', '99');
  assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
  assert.match(unknown.stderr, /there is no site 99; see gastpass sites list/);
  for (const word of ['Haus', '0', '-1', '1.5', '']) {
    const wrong = await sync(`--site=${word}`);
    assert.deepEqual([wrong.code, wrong.stdout], [2, ''], word);
  }
});

test('while a service runs, its next request sees the result of the sync', async () => {
  const service = await startGastpass({ dataDir, environment: { SYNC_INTERVAL_S: '86400' } });
  try {
    const made = await callApi(service, { key, body: { site_id: 1, name: 'Zimmer 12' } });
    assert.equal(made.status, 201);
    const shown = async () => {
      const { json } = await callApi(service, { key, path: 'vouchers.php?site_id=1' });
      return json.vouchers.find((one: { voucher_code: string }) => one.voucher_code === made.json.code);
    };
    assert.equal((await shown()).status, 'valid');
    assert.ok(healthy.controls.redeem({ code: made.json.code }).ok);
    assert.equal((await sync('--site', '1')).code, 0);
    assert.partialDeepStrictEqual(await shown(), { status: 'used', used_count: 1 });
  } finally {
    await service.stop();
  }
});

test('a site that this release does not know does not prevent the sync of other sites, and no failure is recorded for it', async () => {
  change("update sites set controller_kind = 'omada' where id = 3");
  const before = ask('select error from site_syncs where site_id = 3');
  healthy.controls.fill({ note: 'später' });
  const { code, stdout, stderr } = await sync('--json');
  assert.equal(code, 1);
  assert.match(stdout + stderr, /controller of this site is not known to this release/);
  assert.equal(ask("select * from vouchers where name = 'später'").length, 1);
  assert.partialDeepStrictEqual(
    JSON.parse(stdout).map(({ id, imported }: Record<string, unknown>) => ({ id, imported })),
    [
      { id: 1, imported: 1 },
      { id: 2, imported: 0 },
      { id: 3, imported: null },
    ],
  );
  assert.deepEqual(ask('select error from site_syncs where site_id = 3'), before);
});

test('without an active site, sync succeeds and says that there is none', async () => {
  change('update sites set active = 0');
  const { code, stdout, stderr } = await sync();
  assert.deepEqual([code, stdout, stderr], [0, 'No active sites. See gastpass sites list\n', '']);
});
