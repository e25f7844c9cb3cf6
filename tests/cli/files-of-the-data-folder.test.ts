// What `serve` and `doctor` say about the files of a data folder: a secret that was exchanged, is gone or
// can be read by others, a damaged database, a folder that is served already.

import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { callApi, makeFolder, runGastpass, startGastpass } from '../support/run-gastpass.ts';

const environment = { GASTPASS_DEMO: '0', PORT: '0' };

let dataDir: string;
let secret: string;
let remove: () => void;
beforeEach(async () => {
  ({ folder: dataDir, remove } = makeFolder());
  secret = join(dataDir, 'secret');
  const made = await runGastpass(['keys', 'list'], { dataDir });
  assert.equal(made.code, 0);
});
afterEach(() => remove());

async function assertRefused(reason: RegExp, expectedCode: number): Promise<void> {
  const { code, stdout, stderr } = await runGastpass(['serve'], { dataDir, environment });
  assert.match(stderr, reason);
  assert.match(stderr, /^gastpass: [^\n]+\n$/);
  assert.deepEqual([code, stdout], [expectedCode, '']);
}

/** The one fault there is. */
async function findFault(): Promise<{ about: string; text: string }> {
  const { code, stdout, stderr } = await runGastpass(['doctor', '--json'], { dataDir });
  assert.deepEqual([code, stderr], [1, 'gastpass: 1 problem found\n']);
  return JSON.parse(stdout).find(({ state }: { state: string }) => state === 'fault');
}

test('a secret file that was exchanged is told from the right one', async () => {
  writeFileSync(secret, `${'x'.repeat(43)}\n`);
  await assertRefused(/the secret does not fit this database/, 2);
  const { about, text } = await findFault();
  assert.equal(about, 'database and secret');
  assert.match(text, /does not fit this database: set GASTPASS_SECRET to the one/);
});

test('a secret file that is gone is asked for, and no other is made in its place', async () => {
  rmSync(secret);
  await assertRefused(/put the file "secret" back into the data folder/, 2);
  assert.match((await findFault()).text, /put the file "secret" back/);
  assert.equal(existsSync(secret), false);
});

test('a secret file that is empty is no secret', async () => {
  writeFileSync(secret, '');
  await assertRefused(/the secret does not fit this database/, 2);
});

test('GASTPASS_SECRET may take the place of the file', async () => {
  const right = readFileSync(secret, 'utf8').trim();
  rmSync(secret);
  const fits = await runGastpass(['keys', 'list'], { dataDir, environment: { GASTPASS_SECRET: right } });
  assert.equal(fits.code, 0);
});

test('a secret others can read is a fault that names the cure', async () => {
  chmodSync(secret, 0o644);
  assert.deepEqual(await findFault(), {
    state: 'fault',
    about: 'secret',
    text: `${secret} can be read by others: chmod 600 ${secret}`,
  });
});

test('a database file that is damaged is a fault, and doctor still ends in order', async () => {
  writeFileSync(join(dataDir, 'gastpass.sqlite'), 'this is no database at all'.repeat(100));
  const { about, text } = await findFault();
  assert.equal(about, 'database and secret');
  assert.match(text, /not a database/);
});

test('a second service on the same data folder is refused, and the first one goes on', async () => {
  const running = await startGastpass({ dataDir, environment });
  await assertRefused(/another service is running on the data folder .*: stop it first/, 1);
  assert.equal((await callApi(running, { key: 'x', path: 'sites.php' })).status, 401);
  await running.stop();
});
