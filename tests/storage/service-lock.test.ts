// Tests the lock that allows only one service per data folder, and that the lock ends with the process.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AlreadyServed, lockForService } from '../../src/platform/database/service-lock.ts';
import { makeFolder, startGastpass } from '../support/run-gastpass.ts';
import { until } from '../support/until.ts';

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

const isLocked = () => {
  try {
    lockForService(dataDir)();
    return false;
  } catch {
    return true;
  }
};

test('a service whose lock file is removed locks it again and says so', async () => {
  const service = await startGastpass({ dataDir, environment: { GASTPASS_DEMO: '0' } });
  rmSync(join(dataDir, 'service.lock'));
  await until(() => service.stdout().includes('service.lock was removed'), { otherwise: 'the log line' });
  assert.ok(isLocked());
  assert.equal((await service.stop()).code, 0);
});

test('if a second service has taken the place of the removed lock file, the first one ends', async () => {
  const service = await startGastpass({ dataDir, environment: { GASTPASS_DEMO: '0' } });
  rmSync(join(dataDir, 'service.lock'));
  using _second = lockForService(dataDir);
  const { code, stdout } = await service.ended;
  assert.equal(code, 1);
  assert.match(stdout, /service\.lock was removed, and another service has started on the data folder/);
});
