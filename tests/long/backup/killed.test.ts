// Backups and restores that are killed: a backup never looks complete, and a restore leaves an empty installation,
// which cannot be used until the backup is restored again.

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
/** The secret comes from the backup. */
const withoutSecret = { ...environment, GASTPASS_SECRET: '' };

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

/**
 * Sends the signal when the table before the large one is done. Returns the exit code, or the signal if it was killed.
 */
async function stopHalfWay(words: string[], dir: string, signal: NodeJS.Signals): Promise<unknown> {
  const settings = dir === target ? withoutSecret : environment;
  const child = spawn(process.execPath, [GASTPASS, ...words], {
    env: { PATH: process.env.PATH, DATA_DIR: dir, ...(await databaseSettings(dir)), ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    told += text;
    if (/^settings: /m.test(told) && !child.killed) child.kill(signal);
  });
  return new Promise((resolve) => child.once('close', (code, by) => resolve(code ?? by)));
}

const gastpass = (words: string[]) => runGastpass(words, { dataDir, environment });

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

test('a restore that is killed leaves an empty installation, which is refused until the restore is repeated', async () => {
  assert.equal(await stopHalfWay(['restore', file], target, 'SIGKILL'), 'SIGKILL');
  const tables =
    engine === 'sqlite'
      ? readRecords(target, 'select name from sqlite_schema')
      : readRecords(target, "select tablename from pg_tables where schemaname = 'public'");
  assert.deepEqual(
    tables.map((row) => Object.values(row)[0]),
    ['restore_under_way'],
  );
  for (const words of [['doctor'], ['serve'], ['migrate'], ['migrate', '--check']]) {
    const refused = await runGastpass(words, { dataDir: target, environment: withoutSecret });
    assert.match(refused.stdout + refused.stderr, new RegExp(`: .* repeat gastpass restore ${file};`));
  }
  const again = { dataDir: target, environment: withoutSecret };
  const { code, stdout, stderr } = await runGastpass(['restore', file], again);
  assert.equal(code, 0, stderr);
  // The killed restore has written it, but could not say so.
  if (engine === 'postgres')
    assert.match(stdout, /^The secret is in .*: set GASTPASS_SECRET_FILE to this file/m);
  assert.equal(Number(readRecords(target, 'select count(*) as count from audit')[0]?.count), ROWS);
  const verified = { ...withoutSecret, GASTPASS_SECRET_FILE: join(target, 'secret') };
  assert.equal((await runGastpass(['verify'], { dataDir: target, environment: verified })).code, 0);
});
