// Tests what commands say if the PostgreSQL server does not run or refuses the connection: the cause, and what to do.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { makeFolder, runGastpass } from '../support/run-gastpass.ts';

const { folder, remove } = makeFolder();
let database: TestDatabase;
before(async () => {
  database = await makeTestDatabase();
  await database.rows(`create role ${database.name}_locked`);
  await database.rows(`create role ${database.name}_none login connection limit 0`);
});
after(async () => {
  await database.rows(`drop role ${database.name}_locked, ${database.name}_none`);
  await database.drop();
  remove();
});

async function say(words: string[], change: { username?: string; pathname?: string }): Promise<string> {
  const url = Object.assign(new URL(database.url), change);
  const { code, stdout, stderr } = await runGastpass(words, {
    environment: { DATA_DIR: folder, DATABASE_URL: url.href, GASTPASS_SECRET: 's'.repeat(40) },
  });
  assert.equal(code, 1);
  return stdout + stderr;
}

test('a missing database, a role that may not log in and too many connections are explained', async () => {
  const missing = { pathname: '/no_such_database' };
  const advice =
    /"no_such_database" does not exist: correct the name of the database in DATABASE_URL, or create it/;
  for (const words of [['doctor'], ['doctor', '--database'], ['migrate']])
    assert.match(await say(words, missing), advice, words.join(' '));
  assert.match(
    await say(['doctor'], { username: `${database.name}_locked` }),
    /is not permitted to log in: correct the user in DATABASE_URL, or let it in: the role must/,
  );
  assert.match(
    await say(['doctor'], { username: `${database.name}_none` }),
    /too many connections for role .*: close other connections, raise max_connections or the limit/,
  );
});

test('a server that does not run is explained, and its password is not printed', async () => {
  const environment = {
    DATA_DIR: folder,
    DATABASE_URL: 'postgres://gastpass:hunter2@127.0.0.1:1/gastpass',
    GASTPASS_SECRET: 's'.repeat(40),
  };
  const { code, stdout, stderr } = await runGastpass(['doctor'], { environment });
  assert.match(
    stdout,
    /^fault {4}Database and secret: Cannot be opened: database unavailable: .*ECONNREFUSED.*: start the server \(systemctl start/m,
  );
  assert.equal(stderr, 'gastpass: 1 problem found\n');
  assert.equal(code, 1);
  const list = await runGastpass(['keys', 'list'], { environment });
  assert.match(list.stderr, /^gastpass: database unavailable: .*: start the server \(systemctl start .*\n$/);
  assert.doesNotMatch(stdout + list.stderr, /hunter2/);
});
