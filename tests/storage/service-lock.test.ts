// Tests the lock that allows only one service per data folder, and that the lock ends with the process.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { AlreadyServed, lockForService } from '../../src/storage/service-lock.ts';
import { makeFolder, startGastpass } from '../support/run-gastpass.ts';

const { folder: dataDir, remove } = makeFolder();
after(remove);

test('a data folder can be locked once, and again after it was released', () => {
  const release = lockForService(dataDir);
  assert.throws(() => lockForService(dataDir), AlreadyServed);
  release();
  lockForService(dataDir)();
});

test('the error names the folder and what to do', () => {
  const release = lockForService(dataDir);
  assert.throws(() => lockForService(dataDir), {
    message: `another service is running on the data folder ${dataDir}: stop it first, or set DATA_DIR`,
  });
  release();
});

test('locks of different folders are independent', () => {
  const other = makeFolder();
  const release = lockForService(dataDir);
  lockForService(other.folder)();
  release();
  other.remove();
});

test('a killed service leaves no lock behind', async () => {
  const environment = { GASTPASS_DEMO: '0' };
  const killed = await startGastpass({ dataDir, environment });
  assert.throws(() => lockForService(dataDir), AlreadyServed);
  assert.equal((await killed.stop('SIGKILL')).signal, 'SIGKILL');
  lockForService(dataDir)();

  const next = await startGastpass({ dataDir, environment });
  assert.equal((await next.stop()).code, 0);
});
