// Tests what `serve` and `doctor` report about the files in a data folder: a secret that was replaced, is missing or
// can be read by other users, a damaged database, and a folder that is already in use.

import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, test } from 'node:test';
import { lockForService } from '../../src/platform/database/service-lock.ts';
import { callApi, makeDatabase, makeFolder, runGastpass, startGastpass } from '../support/run-gastpass.ts';

const environment = { GASTPASS_DEMO: '0', PORT: '0' };

let dataDir: string;
let secret: string;
let remove: () => void;
beforeEach(async () => {
  ({ folder: dataDir, remove } = makeFolder());
  secret = join(dataDir, 'secret');
  await makeDatabase(dataDir);
});
afterEach(() => remove());

async function assertRefused(reason: RegExp, expectedCode: number): Promise<void> {
  const { code, stdout, stderr } = await runGastpass(['serve'], { dataDir, environment });
  assert.match(stderr, reason);
  assert.match(stderr, /^gastpass: [^\n]+\n$/);
  assert.deepEqual([code, stdout], [expectedCode, '']);
}

/** Returns the only fault that doctor finds. */
async function findFault(): Promise<{ about: string; text: string }> {
  const { code, stdout, stderr } = await runGastpass(['doctor', '--json'], { dataDir, environment });
  assert.deepEqual([code, stderr], [1, 'gastpass: 1 problem found\n']);
  return JSON.parse(stdout).find(({ state }: { state: string }) => state === 'fault');
}

test('a replaced secret file is refused, because it does not match the database', async () => {
  writeFileSync(secret, `${'x'.repeat(43)}\n`);
  await assertRefused(/the secret does not fit this database/, 2);
  const { about, text } = await findFault();
  assert.equal(about, 'Database and secret');
  assert.match(text, /does not fit this database: set GASTPASS_SECRET to the one/);
});

test('a missing secret file is reported, and no new one is created', async () => {
  rmSync(secret);
  await assertRefused(/put the file "secret" back into the data folder/, 2);
  assert.match((await findFault()).text, /put the file "secret" back/);
  assert.equal(existsSync(secret), false);
});

test('an empty secret file is refused', async () => {
  writeFileSync(secret, '');
  await assertRefused(/the secret does not fit this database/, 2);
});

test('GASTPASS_SECRET can replace the secret file', async () => {
  const right = readFileSync(secret, 'utf8').trim();
  rmSync(secret);
  const fits = await runGastpass(['keys', 'list'], { dataDir, environment: { GASTPASS_SECRET: right } });
  assert.equal(fits.code, 0);
});

test('a secret file that cannot be read is reported as such, not as a problem of the port', async () => {
  rmSync(secret);
  mkdirSync(secret);
  const reason =
    /the secret in .*secret cannot be read \(EISDIR\): run the command as the service's user, or /;
  await assertRefused(reason, 2);
  const { about, text } = await findFault();
  assert.equal(about, 'Installation secret');
  assert.match(text, reason);
});

test('a secret file that other users can read is a fault, and the message says how to fix it', async (context) => {
  context.after(lockForService(dataDir));
  chmodSync(secret, 0o644);
  assert.deepEqual(await findFault(), {
    state: 'fault',
    about: 'Installation secret',
    text: `${secret} can be read by other users of the server. Give access only to the user of the service: chmod 600 ${secret}`,
  });
});

test('a damaged database file is a fault, and doctor still completes', async () => {
  writeFileSync(join(dataDir, 'gastpass.sqlite'), 'this is no database at all'.repeat(100));
  const { about, text } = await findFault();
  assert.equal(about, 'Database');
  assert.match(text, /is damaged: file is not a database\. Stop the service, .* restore the last backup\.$/);
});

test('a damaged page of the database is a fault', async () => {
  const path = join(dataDir, 'gastpass.sqlite');
  const file = new DatabaseSync(path);
  const row = file.prepare("select rootpage from sqlite_master where name = 'vouchers'").get();
  const size = Number(Object.values(file.prepare('pragma page_size').get() ?? {})[0]);
  file.close();
  const bytes = readFileSync(path);
  bytes.fill(0x5a, (Number(row?.rootpage) - 1) * size, Number(row?.rootpage) * size);
  writeFileSync(path, bytes);
  const { about, text } = await findFault();
  assert.equal(about, 'Database');
  assert.match(
    text,
    /gastpass\.sqlite is damaged: .*page.*\. Stop the service, .* restore the last backup\.$/,
  );
});

test('a second service on the same data folder is refused, and the first one keeps running', async () => {
  const running = await startGastpass({ dataDir, environment });
  await assertRefused(/another service is running on the data folder .*: stop it first/, 1);
  assert.equal((await callApi(running, { key: 'x', path: 'sites.php' })).status, 401);
  await running.stop();
});
