// Backups and restores that are killed: a backup never looks complete, and a restore leaves an empty installation, into
// which the backup can be restored again.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { databaseSettings, engine, openRecords, readRecords } from '../../support/engine.ts';
import { makeDatabase, makeFolder, runGastpass } from '../../support/run-gastpass.ts';

const GASTPASS = fileURLToPath(new URL('../../../bin/gastpass.js', import.meta.url));
/** Enough that the process is killed long before the last table is done. */
const ROWS = 20_000;
const { folder, remove } = makeFolder();
const { folder: dataDir, remove: removeData } = makeFolder();
const { folder: target, remove: removeTarget } = makeFolder();
const file = join(folder, 'backup');
const environment = { BACKUP_PASSPHRASE: 'correct horse battery' };

before(async () => {
  await makeDatabase(dataDir);
  const records = openRecords(dataDir);
  records.change(
    `insert into audit (at_ms, actor, action, subject)
     with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ROWS})
     select i, 'CLI: ada', 'site.added', 'Haus ' || i from n`,
  );
  records.close();
});
after(() => {
  for (const clear of [remove, removeData, removeTarget]) clear();
});

/** Sends the signal when the table before the large one is done. Returns the exit code, or the signal if it was killed. */
async function stopHalfWay(words: string[], dir: string, signal: NodeJS.Signals): Promise<unknown> {
  const child = spawn(process.execPath, [GASTPASS, ...words], {
    env: { PATH: process.env.PATH, DATA_DIR: dir, ...(await databaseSettings(dir)), ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    told += text;
    if (/^settings: /m.test(told) && !child.killed) child.kill(signal);
  });
  return new Promise((resolve) => child.once('close', (code, by) => resolve(code ?? by)));
}

const gastpass = (words: string[], dir = dataDir) => runGastpass(words, { dataDir: dir, environment });

test('a backup that is terminated leaves nothing, a killed one only its partial file', async () => {
  assert.equal(await stopHalfWay(['backup', file], dataDir, 'SIGTERM'), 1);
  assert.deepEqual(readdirSync(folder), []);
  assert.equal(await stopHalfWay(['backup', file], dataDir, 'SIGKILL'), 'SIGKILL');
  assert.deepEqual(readdirSync(folder), ['backup.partial']);
  const again = await gastpass(['backup', file]);
  assert.match(
    again.stderr,
    /another backup is being written there, or was killed; in that case delete the file/,
  );
  rmSync(`${file}.partial`);
  assert.equal((await gastpass(['backup', file])).code, 0);
});

test('a restore that is killed leaves an empty installation, and can be repeated', async () => {
  assert.equal(await stopHalfWay(['restore', file], target, 'SIGKILL'), 'SIGKILL');
  const tables =
    engine === 'sqlite'
      ? readRecords(target, 'select name from sqlite_schema')
      : readRecords(target, "select tablename from pg_tables where schemaname = 'public'");
  assert.deepEqual(tables, []);
  const { code, stderr } = await gastpass(['restore', file], target);
  assert.equal(code, 0, stderr);
  assert.equal(Number(readRecords(target, 'select count(*) as count from audit')[0]?.count), ROWS);
  assert.equal((await gastpass(['verify'], target)).code, 0);
});
