// Tests how writes share transactions: queued jobs share one commit, each job succeeds or fails by itself, and no
// caller gets a result before the commit.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, type TestContext, test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { selectSites } from '../../src/kernel/sites/site-queries.ts';
import type { Database, Handle } from '../../src/platform/database/database.ts';
import { selectSetting, upsertSetting } from '../../src/platform/database/installation-queries.ts';
import { openSqlite } from '../../src/platform/database/sqlite/open-sqlite.ts';
import { DatabaseUnavailable } from '../../src/platform/values/database-unavailable.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { addSite, seal } from './samples.ts';

let database: Database;
let stranger: DatabaseSync;
let remove: () => void;
beforeEach(() => {
  const made = makeFolder();
  remove = made.remove;
  const file = join(made.folder, 'gastpass.sqlite');
  database = openSqlite(file);
  stranger = new DatabaseSync(file);
});
afterEach(async () => {
  stranger.close();
  await database.close();
  remove();
});

/** Counts the commits. */
function countCommits(context: TestContext): () => number {
  let commits = 0;
  const reallyRun = StatementSync.prototype.run;
  context.mock.method(StatementSync.prototype, 'run', function (this: StatementSync, ...values: never[]) {
    if (this.sourceSQL === 'commit') commits++;
    return Reflect.apply(reallyRun, this, values);
  });
  return () => commits;
}

const names = async () => (await selectSites(database.read, seal)).map(({ name }) => name);
const strangersCount = () => stranger.prepare('select count(*) as count from sites').get()?.count;
const setProbe = (value: string) => (transaction: Handle) => upsertSetting(transaction, 'last_probe', value);

test('queued jobs share one commit', async (context) => {
  const commits = countCommits(context);
  await Promise.all(Array.from({ length: 100 }, (_, index) => addSite(database, { name: `Haus ${index}` })));
  assert.equal(commits(), 1);
  assert.equal((await names()).length, 100);
});

test('consecutive jobs have one commit each', async (context) => {
  const commits = countCommits(context);
  for (let index = 0; index < 5; index++) await addSite(database);
  assert.equal(commits(), 5);
});

test('a failed job undoes only its own changes', async () => {
  const outcomes = await Promise.allSettled([
    addSite(database, { name: 'before' }),
    database.write(async (transaction) => {
      await sql`insert into sites (name, active, controller_kind, controller_site, created_at_ms)
        values ('half done', 1, 'simulator', 'default', 0)`.execute(transaction);
      throw new Error('changed its mind');
    }),
    addSite(database, { name: 'after' }),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.match(String(outcomes[1]?.status === 'rejected' && outcomes[1].reason), /changed its mind/);
  assert.deepEqual(await names(), ['after', 'before']);
});

test('a change is invisible before the commit, and visible to all readers when the caller has its result', async () => {
  await database.write(async (transaction) => {
    await setProbe('new')(transaction);
    assert.equal(await selectSetting(transaction, 'last_probe'), 'new');
    assert.equal(await selectSetting(database.read, 'last_probe'), undefined);
    await sleep(5);
    assert.equal(await selectSetting(database.read, 'last_probe'), undefined);
  });
  assert.equal(await selectSetting(database.read, 'last_probe'), 'new');
  assert.equal(stranger.prepare('select value from settings where name = ?').get('last_probe')?.value, 'new');
});

test('jobs run one after another in their order of arrival', async () => {
  const steps: string[] = [];
  const job = (name: string, pauseMs: number) =>
    database.write(async () => {
      steps.push(`${name} begins`);
      await sleep(pauseMs);
      steps.push(`${name} ends`);
    });
  await Promise.all([job('first', 10), job('second', 0), job('third', 5)]);
  const expected = ['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]);
  assert.deepEqual(steps, expected);
});

test('if the commit fails, all its jobs fail, nothing is stored, and the next commit works', async () => {
  const outcomes = await Promise.allSettled([
    addSite(database, { name: 'lost too' }),
    database.write(async (transaction) => {
      await sql`pragma defer_foreign_keys = on`.execute(transaction);
      await sql`insert into intents (site_id, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb,
        source, created_at_ms) values (99, 'x', 1, 1, 0, 0, 0, 'x', 0)`.execute(transaction);
    }),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.deepEqual(await names(), []);
  await addSite(database, { name: 'next' });
  assert.deepEqual(await names(), ['next']);
});

test('a write waits for a lock held by another connection without blocking the event loop', async () => {
  stranger.exec('begin immediate');
  let done = false;
  const write = addSite(database, { name: 'patient' }).then(() => {
    done = true;
  });
  for (let turn = 0; turn < 1_000; turn++) await nextTurn();
  assert.deepEqual(await names(), [], 'a read needs no lock');
  assert.equal(done, false);
  stranger.exec('commit');
  await write;
  assert.equal(strangersCount(), 1);
});

test('after five seconds without the lock the database counts as unavailable, and nothing is written', {
  timeout: 30_000,
}, async (context) => {
  const reallyNow = performance.now.bind(performance);
  let skippedMs = 0;
  context.mock.method(performance, 'now', () => reallyNow() + skippedMs);

  stranger.exec('begin immediate');
  let ended = false;
  const write = addSite(database, { name: 'too late' }).finally(() => {
    ended = true;
  });
  write.catch(() => {});
  await sleep(50);
  skippedMs = 3_000;
  await sleep(50);
  assert.equal(ended, false);
  skippedMs = 5_000;
  await assert.rejects(write, DatabaseUnavailable);
  stranger.exec('commit');
  await addSite(database, { name: 'next' });
  assert.deepEqual(await names(), ['next']);
});

test('closing waits for accepted jobs and refuses new jobs', async () => {
  const accepted = addSite(database);
  const closed = database.close();
  await accepted;
  await closed;
  assert.equal(strangersCount(), 1);
  await assert.rejects(addSite(database), DatabaseUnavailable);
  database = openSqlite(stranger.location() ?? '');
});
