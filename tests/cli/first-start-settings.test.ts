// Tests first starts with custom settings: without the demo, and with a configured administrator.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { isPassword } from '../../src/kernel/users/password.ts';
import { readRecords } from '../support/engine.ts';
import { findFreePort } from '../support/postgres-server.ts';
import {
  announcedGastpass,
  makeDatabase,
  makeFolder,
  runGastpass,
  startGastpass,
} from '../support/run-gastpass.ts';
import { until } from '../support/until.ts';

let dataDir: string;
let remove: () => void;
beforeEach(() => {
  ({ folder: dataDir, remove } = makeFolder());
});
afterEach(() => remove());

const rows = (sql: string) => readRecords(dataDir, sql);

async function startAndStop(environment: Record<string, string>): Promise<string> {
  const service = await startGastpass({ dataDir, environment });
  const { code, stdout, stderr } = await service.stop();
  assert.deepEqual([code, stderr], [0, '']);
  return stdout;
}

test('with GASTPASS_DEMO=0 no site, key or user is created or printed; the demo is not added later', async () => {
  const stdout = await startAndStop({ GASTPASS_DEMO: '0', PUBLIC_URL: 'https://wifi.example.org/' });
  assert.match(
    stdout,
    /Web {6}https:\/\/wifi\.example\.org\/\n {2}API {6}https:\/\/wifi\.example\.org\/api\n/,
  );
  assert.match(stdout, /First administrator: https:\/\/wifi\.example\.org\/setup\n/);
  assert.doesNotMatch(stdout, /gpk_|Administrator|Password|Demo site|curl/);
  for (const table of ['sites', 'api_keys', 'users']) assert.deepEqual(rows(`select * from ${table}`), []);
  assert.doesNotMatch(await startAndStop({}), /gpk_|Demo site|curl/);
  assert.deepEqual(rows('select * from sites'), []);
  assert.deepEqual(rows('select * from api_keys'), []);
});

test('ADMIN_EMAIL and ADMIN_PASSWORD create the administrator, and the password is not printed', async () => {
  const environment = { ADMIN_EMAIL: 'Ada@Example.org', ADMIN_PASSWORD: 'ein langes Passwort' };
  const stdout = await startAndStop({ ...environment, GASTPASS_DEMO: '0' });
  assert.match(stdout, /Administrator {2}Ada@Example.org\n/i);
  assert.doesNotMatch(stdout, /ein langes Passwort|Password {2}/);
  const [admin] = rows('select * from users');
  assert.equal(admin?.email, 'ada@example.org');
  assert.ok(await isPassword('ein langes Passwort', String(admin?.password_hash)));
});

test('the service is ready only when the administrator from the settings, who replaces that of the demo, can log in', async (t) => {
  const port = String(await findFreePort());
  const environment = { ADMIN_EMAIL: 'ada@example.org', ADMIN_PASSWORD: 'ein langes Passwort', PORT: port };
  const starting = announcedGastpass({ dataDir, environment });
  t.after(async () => (await starting).stop());
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' }).catch(() => undefined);
  await until(async () => (await ask('/readyz'))?.status === 200, { everyMs: 5 });
  assert.equal((await ask('/login'))?.status, 200);
  const { stdout } = await (await starting).stop();
  assert.match(stdout, /Administrator {2}ada@example.org\n/);
  assert.match(stdout, /API key {8}gpk_/);
  assert.deepEqual(
    rows('select email from users').map(({ email }) => email),
    ['ada@example.org'],
  );
});

test('if a key and a site exist before the first start, the demo adds none', async () => {
  await makeDatabase(dataDir);
  await runGastpass(['sites', 'add', '--name', 'Haus A', '--controller', 'simulator'], { dataDir });
  await runGastpass(['keys', 'create', '--name', 'Theke', '--scope', 'read'], { dataDir });
  const stdout = await startAndStop({});
  assert.doesNotMatch(stdout, /gpk_|Demo site|curl/);
  assert.deepEqual(
    rows('select name from sites').map(({ name }) => name),
    ['Haus A'],
  );
});
