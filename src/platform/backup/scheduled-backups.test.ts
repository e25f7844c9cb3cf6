// Tests when a backup is due, and which backups are deleted.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { type BackupRecord, type BackupState, makeScheduledBackup } from './scheduled-backups.ts';

const HOUR_MS = 60 * 60_000;
const START_MS = Date.UTC(2026, 10, 16, 12, 15);
const signal = new AbortController().signal;

let records: BackupRecord[];
let files: string[];
let nowMs: number;
let failure: Error | undefined;
let stuck: string | undefined;
let isDoubted = false;
let state: BackupState | undefined;
let warnings: Record<string, unknown>[];
beforeEach(() => {
  isDoubted = false;
  stuck = undefined;
  state = undefined;
  warnings = [];
  records = [];
  files = ['holiday.jpg', 'gastpass-20200101T000000Z.backup'];
  nowMs = START_MS;
  failure = undefined;
});

const quiet = () => {};
const warn = (fields: Record<string, unknown>) => void warnings.push(fields);
const log = { debug: quiet, info: quiet, warn, error: quiet, isLevelEnabled: () => false };
const same = (one: BackupRecord) => (other: BackupRecord) =>
  one.name === other.name && one.folder === other.folder;

/** An instance with its own folder. All instances share the records and, in this test, the list of files. */
const instance = (path = '/backups', keep = 3, host?: string) =>
  makeScheduledBackup({
    records: {
      list: async () => [...records],
      add: async (record) => void records.push(record),
      finish: async (record, bytes) => {
        records = records.map((other) => (same(record)(other) ? { ...other, bytes } : other));
      },
      remove: async (record) => {
        records = records.filter((other) => !same(record)(other));
      },
    },
    failureReports: { end: async () => {} },
    folder: {
      path,
      host,
      stateOf: async ({ name }) => state ?? (files.includes(name) ? 'intact' : 'gone'),
      async write(name) {
        if (failure) throw failure;
        files.push(name);
        return { bytes: 10 };
      },
      async delete(name) {
        if (name === stuck) throw new Error('EPERM');
        files = files.filter((other) => other !== name);
      },
    },
    plan: { intervalMs: 24 * HOUR_MS, keep },
    clock: { nowMs: () => nowMs },
    readTrustedTime: async () => (isDoubted ? undefined : { nowMs, runningMs: 0 }),
    log,
  });

const made = () => files.filter((name) => name.startsWith('gastpass-2026'));

test('the first backup is made at once, the next one when the interval is over', async () => {
  const run = instance();
  assert.equal(await run(signal), 24 * HOUR_MS);
  assert.deepEqual(made(), ['gastpass-20261116T121500Z.backup']);
  nowMs += 23 * HOUR_MS;
  assert.equal(await run(signal), HOUR_MS);
  assert.equal(made().length, 1);
  nowMs += HOUR_MS;
  await run(signal);
  assert.equal(made().length, 2);
});

test('the oldest backups are deleted, and no other file', async () => {
  const run = instance();
  for (let day = 0; day < 5; day++, nowMs += 24 * HOUR_MS) await run(signal);
  assert.deepEqual(files, [
    'holiday.jpg',
    'gastpass-20200101T000000Z.backup',
    'gastpass-20261118T121500Z.backup',
    'gastpass-20261119T121500Z.backup',
    'gastpass-20261120T121500Z.backup',
  ]);
});

test('after a failure nothing is deleted, and the backup is still due', async () => {
  const run = instance('/backups', 1);
  await run(signal);
  nowMs += 24 * HOUR_MS;
  failure = new Error('disk full');
  for (let turn = 0; turn < 3; turn++) await assert.rejects(run(signal), /disk full/);
  assert.deepEqual(made(), ['gastpass-20261116T121500Z.backup']);
  failure = undefined;
  await run(signal);
  assert.deepEqual(made(), ['gastpass-20261117T121500Z.backup']);
});

test('a clock that was set back does not stop backups, and the new one is kept', async () => {
  const run = instance('/backups', 2);
  for (const days of [400, 401, 0]) {
    nowMs = START_MS + days * 24 * HOUR_MS;
    assert.equal(await run(signal), 24 * HOUR_MS);
  }
  assert.equal(made().at(-1), 'gastpass-20261116T121500Z.backup');
  assert.equal(files.length, 4);
});

test('what a killed process has left is deleted after the next backup', async () => {
  records = [{ folder: '/backups', name: 'gastpass-20261115T000000Z.backup', startedAtMs: 1, bytes: null }];
  files.push('gastpass-20261115T000000Z.backup');
  await instance()(signal);
  assert.deepEqual(made(), ['gastpass-20261116T121500Z.backup']);
  assert.equal(records.length, 1);
});

test('after a backup that was killed, the next one waits ten minutes', async () => {
  records = [
    {
      folder: '/backups',
      name: 'gastpass-20261116T121400Z.backup',
      startedAtMs: nowMs - 60_000,
      bytes: null,
    },
  ];
  assert.equal(await instance()(signal), 9 * 60_000);
  assert.deepEqual(made(), []);
  nowMs += 9 * 60_000;
  await instance()(signal);
  assert.equal(made().length, 1);
});

test('while the clock is doubted, backups are made but old ones are kept; afterwards the surplus is deleted', async () => {
  const run = instance('/backups', 2);
  isDoubted = true;
  for (let start = 0; start < 5; start++) {
    nowMs += 24 * HOUR_MS;
    await run(signal);
  }
  assert.equal(made().length, 5);
  isDoubted = false;
  nowMs += 24 * HOUR_MS;
  await run(signal);
  assert.equal(made().length, 2);
});

test('a file that cannot be deleted does not stop the backups', async () => {
  const run = instance('/backups', 1);
  await run(signal);
  stuck = made()[0];
  for (let day = 0; day < 2; day++) {
    nowMs += 24 * HOUR_MS;
    await run(signal);
  }
  assert.deepEqual(made(), ['gastpass-20261116T121500Z.backup', 'gastpass-20261118T121500Z.backup']);
  assert.equal(records.length, 2);
});

test('a new folder gets a backup at once; after that, one of several instances makes it', async () => {
  const [one, other] = [instance('/one'), instance('/other')];
  await one(signal);
  assert.equal(await other(signal), 24 * HOUR_MS);
  nowMs += 24 * HOUR_MS;
  await one(signal);
  assert.equal(await other(signal), 24 * HOUR_MS);
  assert.deepEqual(
    records.map(({ folder }) => folder),
    ['/one', '/other', '/one'],
  );
});

test('a newest backup that vanished is replaced at once, and does not count as one that is kept', async () => {
  const run = instance('/backups', 2);
  for (let day = 0; day < 2; day++, nowMs += 24 * HOUR_MS) await run(signal);
  nowMs -= 23 * HOUR_MS;
  assert.equal(await run(signal), 23 * HOUR_MS);
  files = files.filter((name) => name !== 'gastpass-20261117T121500Z.backup');
  assert.equal(await run(signal), 24 * HOUR_MS);
  assert.deepEqual(made(), ['gastpass-20261116T121500Z.backup', 'gastpass-20261117T131500Z.backup']);
  assert.equal(records.length, 2);
  assert.deepEqual(warnings, [{ file: '/backups/gastpass-20261117T121500Z.backup', state: 'gone' }]);
  assert.equal(await run(signal), 24 * HOUR_MS);
});

test('a program that moves every backup away causes one more backup per interval', async () => {
  const run = instance();
  await run(signal);
  for (let hour = 0; hour < 48; hour++) {
    files = files.filter((name) => !made().includes(name));
    nowMs += HOUR_MS;
    await run(signal);
  }
  assert.equal(warnings.length, 2);
});

test('a newest backup of another size is replaced at once, and its file is kept', async () => {
  const run = instance();
  await run(signal);
  nowMs += HOUR_MS;
  state = 'changed';
  await run(signal);
  assert.deepEqual(made(), ['gastpass-20261116T121500Z.backup', 'gastpass-20261116T131500Z.backup']);
});

test('while the folder cannot be read, nothing is concluded about its backups', async () => {
  const run = instance();
  await run(signal);
  nowMs += HOUR_MS;
  state = 'unreadable';
  assert.equal(await run(signal), 23 * HOUR_MS);
  nowMs += 23 * HOUR_MS;
  failure = new Error('the folder does not exist');
  await assert.rejects(run(signal), /does not exist/);
  assert.equal(records.length, 1);
});

test('the record of a backup that vanished stays until another one is made', async () => {
  const run = instance();
  await run(signal);
  nowMs += HOUR_MS;
  files = [];
  failure = new Error('disk full');
  await assert.rejects(run(signal), /disk full/);
  assert.equal(records.length, 1);
});

test('a backup in a folder of the same name on another machine is not judged', async () => {
  await instance('/backups', 3, 'one')(signal);
  files = [];
  nowMs += HOUR_MS;
  assert.equal(await instance('/backups', 3, 'other')(signal), 23 * HOUR_MS);
  assert.equal(await instance('/elsewhere')(signal), 24 * HOUR_MS);
  assert.equal(await instance('/backups', 3, 'one')(signal), 24 * HOUR_MS);
  assert.deepEqual(
    records.map(({ folder, host }) => [folder, host]),
    [
      ['/backups', 'one'],
      ['/elsewhere', undefined],
    ],
  );
});
