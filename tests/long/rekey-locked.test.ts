// A database that another process has locked: `gastpass rekey` gives up after ten seconds, and the secret stays.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { holdWriteLock } from '../support/disturb-records.ts';
import { openRecords } from '../support/engine.ts';
import { makeFolder, runGastpass } from '../support/run-gastpass.ts';
import { assertAllReadable, fillSealedColumns } from '../support/sealed-installation.ts';
import { configOf } from '../support/test-service.ts';

const { folder: dataDir, remove } = makeFolder();
after(remove);

test('a rekey of a locked database is refused, and nothing changes', async () => {
  await fillSealedColumns(await configOf(dataDir));
  const readSecret = () => readFileSync(join(dataDir, 'secret'), 'utf8');
  const old = readSecret();
  const records = openRecords(dataDir);
  const { release } = await holdWriteLock(records);
  const { code, stdout, stderr } = await runGastpass(['rekey'], { dataDir });
  release();
  records.close();
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^gastpass: .*locked/);
  assert.equal(readSecret(), old);
  await assertAllReadable(await configOf(dataDir));
});
