// `gastpass doctor` on installations in different states: what it finds, what it says to do about it,
// and when it counts as failed.

import assert from 'node:assert/strict';
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, test } from 'node:test';
import { openInstallation } from '../../src/app.ts';
import { asSiteId } from '../../src/domain/ids.ts';
import { type Ended, makeFolder, runGastpass } from '../support/run-gastpass.ts';
import { testConfig } from '../support/test-service.ts';

interface Finding {
  state: string;
  about: string;
  text: string;
}

let dataDir: string;
let remove: () => void;
beforeEach(() => {
  ({ folder: dataDir, remove } = makeFolder());
});
afterEach(() => remove());

function doctor(...words: string[]): Promise<Ended> {
  return runGastpass(['doctor', ...words], { dataDir });
}

async function findings(expectedCode: number): Promise<Finding[]> {
  const { code, stdout } = await doctor('--json');
  assert.equal(code, expectedCode);
  return JSON.parse(stdout);
}

async function installed(controllerSite?: string): Promise<void> {
  const installation = await openInstallation(testConfig({ DATA_DIR: dataDir }));
  const audit = { actor: 'test', atMs: Date.now() };
  const site = {
    name: 'Haus A',
    active: true,
    controllerKind: 'simulator',
    access: null,
  };
  if (controllerSite !== undefined) await installation.sites.add({ ...site, controllerSite }, audit);
  await installation.users.add(
    { email: 'ada@example.org', name: 'Ada', role: 'admin', passwordHash: '-', createdAtMs: 0 },
    'test',
  );
  await installation.close();
}

async function openIntent(ageMs: number): Promise<void> {
  const clock = { nowMs: () => Date.now() - ageMs };
  const installation = await openInstallation(testConfig({ DATA_DIR: dataDir }), clock);
  const order = { name: 'x', maxUses: 1, expireMinutes: 1, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const by = { siteId: asSiteId(1), siteName: 'Haus A', source: 'API: Test' };
  await installation.vouchers.begin({ ...by, order });
  await installation.close();
}

test('a healthy installation passes, and every check says so', async () => {
  await installed('default');
  const { code, stdout, stderr } = await doctor();
  assert.equal(stderr, '');
  assert.equal(code, 0);
  assert.deepEqual(stdout.trimEnd().split('\n'), [
    `ok       data folder: ${dataDir}`,
    `ok       secret: ${join(dataDir, 'secret')}, fits the database`,
    'ok       database: can be read and written',
    'ok       site 1 (Haus A): its controller works',
    'ok       sync of site 1 (Haus A): there was no good one yet: the service does it while it runs, or npx gastpass sync --site 1',
    'ok       people: 1 administrator',
    'ok       open intents: 0',
  ]);
});

test('a data folder that is missing is a fault, and is not made', async () => {
  remove();
  const { code, stdout, stderr } = await doctor();
  assert.match(
    stdout,
    /^fault {4}data folder: .* does not exist: start the service once, or set DATA_DIR\n$/,
  );
  assert.equal(stderr, 'gastpass: 1 fault found\n');
  assert.equal(code, 1);
  assert.equal(existsSync(dataDir), false);
});

test('a data folder that cannot be entered is a fault', async () => {
  remove();
  writeFileSync(dataDir, 'a file, not a folder');
  const [folder] = await findings(1);
  assert.equal(folder?.state, 'fault');
  assert.match(folder?.text ?? '', /change its owner or its mode/);
});

test('a secret that does not fit is a fault that says which one is needed', async () => {
  await installed('default');
  writeFileSync(join(dataDir, 'secret'), 'x'.repeat(43));
  const secret = (await findings(1)).find(({ state }) => state === 'fault');
  assert.equal(secret?.about, 'database and secret');
  assert.match(secret?.text ?? '', /does not fit this database: set GASTPASS_SECRET to the one/);
});

test('a secret that is gone is a fault, and no other is made in its place', async () => {
  await installed('default');
  rmSync(join(dataDir, 'secret'));
  const found = await findings(1);
  assert.match(found.find(({ state }) => state === 'fault')?.text ?? '', /put the file "secret" back/);
  assert.equal(existsSync(join(dataDir, 'secret')), false);
});

test('a secret others can read is a fault that names the cure', async () => {
  await installed('default');
  const file = join(dataDir, 'secret');
  chmodSync(file, 0o644);
  const secret = (await findings(1)).find(({ about }) => about === 'secret');
  assert.deepEqual(secret, {
    state: 'fault',
    about: 'secret',
    text: `${file} can be read by others: chmod 600 ${file}`,
  });
});

test('a site whose controller fails is a fault; switched off it is none', async () => {
  await installed('fail:unreachable');
  const site = (await findings(1)).find(({ about }) => about === 'site 1 (Haus A)');
  assert.equal(site?.state, 'fault');
  assert.match(site?.text ?? '', /fail:unreachable.*see npx gastpass sites test 1$/);

  const off = await runGastpass(['sites', 'set', '1', '--inactive'], { dataDir });
  assert.equal(off.code, 0);
  const after = (await findings(0)).find(({ about }) => about === 'site 1 (Haus A)');
  assert.deepEqual([after?.state, after?.text], ['ok', 'switched off']);
});

test('no sites and no administrator are warnings, not faults', async () => {
  await installed();
  const file = new DatabaseSync(join(dataDir, 'gastpass.sqlite'));
  file.exec('delete from users');
  file.close();
  const warnings = (await findings(0)).filter(({ state }) => state === 'warning');
  assert.deepEqual(
    warnings.map(({ about }) => about),
    ['sites', 'people'],
  );
  assert.match(warnings[0]?.text ?? '', /gastpass sites add --name NAME --controller simulator/);
  assert.match(warnings[1]?.text ?? '', /gastpass users add --email EMAIL --name NAME --admin/);
});

test('open intents are counted, and a warning once they are overdue', async () => {
  await installed('default');
  await openIntent(0);
  assert.deepEqual((await findings(0)).at(-1), { state: 'ok', about: 'open intents', text: '1' });
  await openIntent(60 * 60_000);
  const overdue = (await findings(0)).at(-1);
  assert.equal(overdue?.state, 'warning');
  assert.match(overdue?.text ?? '', /^1 vouchers were asked for without an answer/);
});

test('a database that is damaged is a fault, and doctor still ends in order', async () => {
  await installed('default');
  writeFileSync(join(dataDir, 'gastpass.sqlite'), 'this is no database at all'.repeat(100));
  const { code, stdout, stderr } = await doctor();
  assert.match(stdout, /\nfault {4}database and secret: .*not a database/);
  assert.equal(stderr, 'gastpass: 1 fault found\n');
  assert.equal(code, 1);
});
