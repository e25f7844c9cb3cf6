// `gastpass migrate`, killed in every migration and around the commit: the database has its old schema or the new one,
// with the same rows, and the next start finishes the upgrade.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { migrations } from '../../../src/platform/database/migrations/index.ts';
import { migrateInstallation } from '../../../src/platform/database/open-storage.ts';
import { makeFolder, runGastpass } from '../../support/run-gastpass.ts';
import { configOf } from '../../support/test-service.ts';
import { SECRET } from '../../upgrades/fixture.ts';
import {
  makeOldInstallation,
  readAllRows,
  readColumns,
  readVersion,
  rowsToKeep,
} from '../../upgrades/old-installation.ts';

const FIRST = 1;
const NEWEST = migrations.length;
const STEPS = [
  ...migrations.slice(FIRST).map(({ version }) => `in migration ${version}`),
  'before the commit',
  'after the commit',
];
const nodeOptions = ['--import', fileURLToPath(new URL('kill-migration.ts', import.meta.url))];

const { folder, remove } = makeFolder();
after(remove);

for (const [index, step] of STEPS.entries())
  test(`an upgrade that is killed ${step} is finished by the next start`, async () => {
    const dataDir = `${folder}/${index}`;
    const environment = { GASTPASS_SECRET: SECRET };
    await makeOldInstallation(dataDir, FIRST);
    const columns = readColumns(dataDir);
    const all = readAllRows(dataDir, columns);
    const kept = rowsToKeep(dataDir, columns, FIRST);

    const killed = await runGastpass(['migrate'], {
      dataDir,
      nodeOptions,
      environment: { ...environment, KILL_AT: step },
    });
    assert.equal(killed.signal, 'SIGKILL', killed.stderr);
    const isDone = step === 'after the commit';
    assert.equal(readVersion(dataDir), isDone ? NEWEST : FIRST);
    assert.deepEqual(readAllRows(dataDir, columns), isDone ? kept : all);

    await migrateInstallation(await configOf(dataDir, environment));
    assert.equal(readVersion(dataDir), NEWEST);
    assert.deepEqual(readAllRows(dataDir, columns), kept);
  });
