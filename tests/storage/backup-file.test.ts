// Tests how a file is written: for its owner only, complete or not at all, and never over another file.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { afterEach, beforeEach, test } from 'node:test';
import { writeFileWhole } from '../../src/platform/backup/write-file.ts';
import { makeFolder } from '../support/run-gastpass.ts';

let folder: string;
let remove: () => void;
let file: string;
beforeEach(() => {
  ({ folder, remove } = makeFolder());
  file = join(folder, 'backup');
});
afterEach(() => remove());

const write = (path: string, text = 'content') =>
  writeFileWhole(path, async (stream) => {
    stream.end(text);
    await finished(stream);
  });

test('only the owner can read the file, and its temporary name is gone', async () => {
  const before = process.umask(0);
  assert.equal(await write(file), 7);
  process.umask(before);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['backup']);
});

test('an existing file is not replaced, even if it appears meanwhile', async () => {
  writeFileSync(file, 'mine');
  await assert.rejects(write(file), /exists already: choose another name/);
  const late = join(folder, 'late');
  const writing = writeFileWhole(late, async (stream) => {
    writeFileSync(late, 'mine');
    stream.end('content');
    await finished(stream);
  });
  await assert.rejects(writing, /late exists already/);
  for (const path of [file, late]) assert.equal(readFileSync(path, 'utf8'), 'mine');
  assert.deepEqual(readdirSync(folder), ['backup', 'late']);
});

test('two at once, a pipe, a missing folder and a full disk are told apart, and leave nothing behind', async () => {
  const outcomes = await Promise.allSettled([write(file), write(file)]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  assert.match(
    String(outcomes.map((one) => 'reason' in one && one.reason)),
    /another backup is being written/,
  );

  const pipe = join(folder, 'pipe');
  assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
  await assert.rejects(write(pipe), /exists and is not a file/);
  await assert.rejects(write(join(folder, 'missing', 'backup')), /the folder .*missing does not exist/);
  const full = writeFileWhole(join(folder, 'full'), () =>
    Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' })),
  );
  await assert.rejects(full, /because its disk is full/);
  assert.equal(existsSync(join(folder, 'full')), false);
  assert.deepEqual(readdirSync(folder), ['backup', 'pipe']);
});
