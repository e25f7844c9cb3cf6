// Tests the real command `gastpass move`, from an installation on SQLite to PostgreSQL.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { makeTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type Ended, makeDatabase, makeFolder, runGastpass } from '../support/run-gastpass.ts';

const { folder: dataDir, remove } = makeFolder();
let target: TestDatabase;
before(async () => {
  await makeDatabase(dataDir);
  target = await makeTestDatabase();
  const key = await gastpass(['keys', 'create', '--name', 'Theke', '--scope', 'read']);
  assert.equal(key.code, 0);
});
after(async () => {
  await target.drop();
  remove();
});

/** Runs on SQLite, whatever engine the tests run on. */
function gastpass(words: string[], environment: Record<string, string> = {}): Promise<Ended> {
  return runGastpass(words, { dataDir, environment: { DATABASE_URL: '', ...environment } });
}

test('an invalid database URL is a usage error, and is not repeated', async () => {
  for (const words of [[], ['--to', 'mysql://geheim@x/y'], ['--to', '']]) {
    const { code, stderr } = await gastpass(['move', ...words]);
    assert.equal(code, 2);
    assert.match(stderr, /--to/);
    assert.doesNotMatch(stderr, /geheim/);
  }
});

test('an unreachable database is a failure, and the message does not contain the password', async () => {
  const { code, stderr } = await gastpass(['move', '--to', 'postgres://ada:geheim@127.0.0.1:1/x']);
  assert.equal(code, 1);
  assert.match(stderr, /ECONNREFUSED/);
  assert.doesNotMatch(stderr, /geheim/);
});

test('nothing is moved while a service runs', async () => {
  const lock = new DatabaseSync(join(dataDir, 'service.lock'));
  lock.exec('pragma journal_mode = memory; begin exclusive');
  const { code, stderr } = await gastpass(['move', '--to', target.url]);
  lock.close();
  assert.equal(code, 1);
  assert.match(stderr, /another service is running on the data folder/);
});

test('the installation is moved to the URL from a file, and works on PostgreSQL', async () => {
  const file = join(dataDir, 'address');
  writeFileSync(file, `${target.url}\n`);
  const { code, stdout, stderr } = await gastpass(['move', '--to-file', file]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^settings: 1 of 1$/m);
  assert.match(stderr, /^api_keys: 1 of 1$/m);
  assert.match(stdout, /rows in \d+ tables were copied and compared\.\n/);
  assert.match(stdout, /GASTPASS_SECRET_FILE set to the file "secret"/);

  const environment = { DATABASE_URL: target.url, GASTPASS_SECRET_FILE: join(dataDir, 'secret') };
  const keys = await gastpass(['keys', 'list', '--json'], environment);
  assert.deepEqual(
    JSON.parse(keys.stdout).map((key: Record<string, unknown>) => key.name),
    ['Theke'],
  );
  const again = await gastpass(['move', '--to', target.url]);
  assert.equal(again.code, 2);
  assert.match(again.stderr, /holds an installation already/);
  const onPostgres = await gastpass(['move', '--to', target.url], environment);
  assert.equal(onPostgres.code, 1);
  assert.match(onPostgres.stderr, /on PostgreSQL already/);
});
