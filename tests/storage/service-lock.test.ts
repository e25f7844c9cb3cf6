// One service per data folder: the lock that keeps a second one away, and that it never outlives its
// holder.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { AlreadyServed, lockForService } from '../../src/storage/service-lock.ts';
import { makeFolder, startGastpass } from '../support/run-gastpass.ts';

const { folder: dataDir, remove } = makeFolder();
after(remove);

test('a folder is served once, and again after it was released', () => {
  const release = lockForService(dataDir);
  assert.throws(() => lockForService(dataDir), AlreadyServed);
  release();
  lockForService(dataDir)();
});

test('the refusal names the folder and what to do', () => {
  const release = lockForService(dataDir);
  assert.throws(() => lockForService(dataDir), {
    message: `another service is running on the data folder ${dataDir}: stop it first, or set DATA_DIR`,
  });
  release();
});

test('folders do not get in each other’s way', () => {
  const other = makeFolder();
  const release = lockForService(dataDir);
  lockForService(other.folder)();
  release();
  other.remove();
});

test('a service that is killed leaves no lock behind', async () => {
  const environment = { GASTPASS_DEMO: '0' };
  const killed = await startGastpass({ dataDir, environment });
  assert.throws(() => lockForService(dataDir), AlreadyServed);
  assert.equal((await killed.stop('SIGKILL')).signal, 'SIGKILL');
  lockForService(dataDir)();

  const next = await startGastpass({ dataDir, environment });
  assert.equal((await next.stop()).code, 0);
});
