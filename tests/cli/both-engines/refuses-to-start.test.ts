// Tests starts that must be refused because of the database. Other refused starts: tests/cli/refuses-to-start.test.ts.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { claimSchemaVersion } from '../../support/disturb-records.ts';
import { openRecords } from '../../support/engine.ts';
import { makeDatabase, makeFolder, runGastpass } from '../../support/run-gastpass.ts';
import { assertRefused, environment } from '../assert-refused.ts';

const { folder: dataDir, remove } = makeFolder();
before(() => makeDatabase(dataDir));
after(remove);

test('a database that was created with another secret is refused', async () => {
  const other = { ...environment, GASTPASS_SECRET: 'o'.repeat(40) };
  await assertRefused({ dataDir, environment: other }, /set GASTPASS_SECRET to the one it was created/, 2);
  const fits = await runGastpass(['keys', 'list'], { dataDir });
  assert.equal(fits.code, 0);
});

test('a database that a newer release has written is refused', async () => {
  const records = openRecords(dataDir);
  claimSchemaVersion(records, 999);
  records.close();
  await assertRefused({ dataDir }, /schema version 999, this release knows \d+: start the newer release/);
});
