// Tests of the test support: services and commands use only the engine under test.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { engine, readRecords } from './engine.ts';
import { makeDatabase, makeFolder, runGastpass } from './run-gastpass.ts';
import { startTestService } from './test-service.ts';

const { folder: dataDir, remove } = makeFolder();
after(remove);

test('a service and a command share a database on the engine under test', async (t) => {
  await makeDatabase(dataDir);
  const made = await runGastpass(['keys', 'create', '--name', 'Theke', '--scope', 'read'], { dataDir });
  const service = await startTestService({ dataDir });
  t.after(() => service.stop());
  assert.equal((await service.call('GET', 'sites.php', { key: made.stdout.trim() })).status, 200);
  assert.equal(service.config.database === undefined, engine === 'sqlite');
  assert.equal(existsSync(join(dataDir, 'gastpass.sqlite')), engine === 'sqlite');
});

test('a service restarted on its data folder finds its records', async () => {
  const service = await startTestService({ dataDir });
  const siteId = await service.addSite();
  await service.stop();
  assert.deepEqual(
    readRecords(dataDir, 'select name from sites where id = ?', siteId).map(({ name }) => name),
    ['Haus A'],
  );
});

test('a service without a given data folder starts with an empty database', async (t) => {
  for (let turn = 0; turn < 2; turn++) {
    const service = await startTestService();
    t.after(() => service.stop());
    assert.equal(service.rows('select count(*) as count from sites')[0]?.count, 1);
    await service.addSite();
  }
});
