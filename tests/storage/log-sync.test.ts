// Tests that a job's result waits for the sync of the log, what a failed sync means, and that checkpoints keep the log
// short.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, statSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { selectSetting, upsertSetting } from '../../src/platform/database/installation-queries.ts';
import {
  connectSqlite,
  MAX_RESTING_LOG_BYTES,
  type SqliteConnection,
} from '../../src/platform/database/sqlite/connection.ts';
import { type GroupCommit, makeGroupCommit } from '../../src/platform/database/sqlite/group-commit.ts';
import { openSqlite } from '../../src/platform/database/sqlite/open-sqlite.ts';
import { DatabaseUnavailable } from '../../src/platform/values/database-unavailable.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { until } from '../support/until.ts';

let file: string;
let remove: () => void;
beforeEach(() => {
  const made = makeFolder();
  remove = made.remove;
  file = join(made.folder, 'gastpass.sqlite');
});
afterEach(() => remove());

const set = (group: Pick<GroupCommit, 'write'>, value: string) =>
  group.write((transaction) => upsertSetting(transaction, 'last_probe', value));

/** The test's own time limit ends a wait that never succeeds. */
/** A group commit whose syncs end when the test says so. */
async function withSyncs(
  check: (group: GroupCommit, syncs: PromiseWithResolvers<void>[], reader: SqliteConnection) => Promise<void>,
): Promise<void> {
  await openSqlite(file).close();
  using writer = connectSqlite(file, { readOnly: false });
  using reader = connectSqlite(file, { readOnly: true });
  const syncs: PromiseWithResolvers<void>[] = [];
  const log = {
    open: () => 0,
    sync() {
      const sync = Promise.withResolvers<void>();
      syncs.push(sync);
      return sync.promise;
    },
  };
  const group = makeGroupCommit(writer, { log, onCommit() {} });
  await check(group, syncs, reader);
  await group.finish();
}

test('a job gets its result after the sync; reads see its changes before', () =>
  withSyncs(async (group, syncs, reader) => {
    let done = false;
    const write = set(group, 'new').then(() => {
      done = true;
    });
    await until(() => syncs.length === 1);
    await sleep(5);
    assert.equal(done, false);
    assert.equal(await selectSetting(reader.handle, 'last_probe'), 'new');
    syncs[0]?.resolve();
    await write;
  }));

test('jobs that arrive during a sync share the next one', () =>
  withSyncs(async (group, syncs) => {
    const first = set(group, 'first');
    await until(() => syncs.length === 1);
    const others = Promise.all([set(group, 'second'), set(group, 'third')]);
    await sleep(5);
    assert.equal(syncs.length, 1);
    syncs[0]?.resolve();
    await first;
    await until(() => syncs.length === 2);
    syncs[1]?.resolve();
    await others;
    assert.equal(syncs.length, 2);
  }));

test('if the sync fails, every job of the commit fails', () =>
  withSyncs(async (group, syncs) => {
    const outcomes = Promise.allSettled([set(group, 'one'), set(group, 'other')]);
    await until(() => syncs.length === 1);
    syncs[0]?.reject(new Error('EIO'));
    assert.deepEqual(
      (await outcomes).map(({ status }) => status),
      ['rejected', 'rejected'],
    );
  }));

test('a task between batches waits for the running job, and the next job waits for the task', () =>
  withSyncs(async (group, syncs) => {
    const steps: string[] = [];
    const first = set(group, 'first').then(() => steps.push('first'));
    await until(() => syncs.length === 1);
    const task = group.betweenBatches(async () => {
      steps.push('task begins');
      await sleep(5);
      steps.push('task ends');
    });
    const second = set(group, 'second').then(() => steps.push('second'));
    syncs[0]?.resolve();
    await until(() => syncs.length === 2);
    syncs[1]?.resolve();
    await Promise.all([first, task, second]);
    assert.deepEqual(steps, ['first', 'task begins', 'task ends', 'second']);
  }));

test('after a failed sync the database says so and refuses every write', async () => {
  const database = openSqlite(file);
  // The log is opened for the first sync. A device cannot be synced.
  unlinkSync(`${file}-wal`);
  symlinkSync('/dev/null', `${file}-wal`);
  await assert.rejects(set(database, 'lost'), DatabaseUnavailable);
  assert.match(String(await database.whenLost), /EINVAL/);
  await assert.rejects(set(database, 'after'), DatabaseUnavailable);
  assert.equal(await selectSetting(database.read, 'last_probe'), 'lost');
  await database.close();
});

test('the log is copied into the database while writes go on', async () => {
  const errors: unknown[] = [];
  const database = openSqlite(file, { onCheckpointError: (error) => errors.push(error) });
  using stranger = new DatabaseSync(file, { readOnly: true });
  const frames = () => Number(stranger.prepare('pragma wal_checkpoint(noop)').get()?.log);
  for (let n = 0; n < 1_050; n++) await set(database, String(n));
  await until(() => frames() < 100);
  assert.equal(await selectSetting(database.read, 'last_probe'), '1049');
  await database.close();
  assert.deepEqual(errors, []);
});

test('a log that has become long is shortened', async () => {
  const database = openSqlite(file);
  await set(database, 'x'.repeat(MAX_RESTING_LOG_BYTES + 1_000_000));
  assert.ok(statSync(`${file}-wal`).size > MAX_RESTING_LOG_BYTES);
  for (let n = 0; n < 1_050; n++) await set(database, String(n));
  await until(() => statSync(`${file}-wal`).size <= MAX_RESTING_LOG_BYTES);
  await database.close();
});

test('if the thread that copies the log cannot work, this is reported, and writes go on', async () => {
  const errors: unknown[] = [];
  const database = openSqlite(file, { onCheckpointError: (error) => errors.push(error) });
  // The open connections keep the file; the thread cannot open a folder.
  unlinkSync(file);
  mkdirSync(file);
  for (let n = 0; n < 1_050; n++) await set(database, String(n));
  await until(() => errors.length > 0);
  await set(database, 'later');
  assert.equal(await selectSetting(database.read, 'last_probe'), 'later');
  await database.close();
});

test('opening copies the log of a process that was killed into the database file', async () => {
  const killed = openSqlite(file);
  await set(killed, 'last');
  const copy = `${file}-copy`;
  for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix);
  await killed.close();
  assert.ok(statSync(`${copy}-wal`).size > 0);

  const database = openSqlite(copy);
  assert.equal(statSync(`${copy}-wal`).size, 0);
  assert.equal(await selectSetting(database.read, 'last_probe'), 'last');
  await database.close();
});
