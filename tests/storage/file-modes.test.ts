// Tests that no other user of the machine may read the data, even with a permissive umask or an open folder.

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Database } from '../../src/platform/database/database.ts';
import { openStorage } from '../../src/platform/database/open-storage.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { addSite } from './samples.ts';

const { folder, remove } = makeFolder();
const madeDir = join(folder, 'made');
const foundDir = join(folder, 'found');
const usualUmask = process.umask();
const databases: Database[] = [];

before(async () => {
  process.umask(0);
  mkdirSync(foundDir);
  chmodSync(foundDir, 0o777);
  for (const dataDir of [madeDir, foundDir]) {
    const { database } = await openStorage({ dataDir, secret: undefined });
    await addSite(database);
    databases.push(database);
  }
});
after(async () => {
  process.umask(usualUmask);
  for (const database of databases) await database.close();
  remove();
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('a data folder created by the service is accessible to its owner only', () => {
  assert.equal(modeOf(madeDir), '700');
});

for (const name of ['secret', 'gastpass.sqlite', 'gastpass.sqlite-wal', 'gastpass.sqlite-shm'])
  test(`${name} is accessible to its owner only, even in a folder that is open to all`, () => {
    assert.equal(modeOf(join(madeDir, name)), '600');
    assert.equal(modeOf(join(foundDir, name)), '600');
  });
