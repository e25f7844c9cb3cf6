// Tests `gastpass doctor --database`, the checklist of what Gastpass needs of its database.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { databaseSettings, engine } from '../../support/engine.ts';
import { makeDatabase, makeFolder, runGastpass } from '../../support/run-gastpass.ts';

interface Finding {
  state: string;
  about: string;
  text: string;
}

let dataDir: string;
let remove: () => void;
beforeEach(() => {
  ({ folder: dataDir, remove } = makeFolder());
});
afterEach(() => remove());

test('doctor --database lists what it examined, before and after the first start, and changes nothing', async () => {
  const list = async (environment: Record<string, string> = {}) => {
    const { code, stdout } = await runGastpass(['doctor', '--database', '--json'], {
      dataDir,
      environment: environment,
    });
    const found: Finding[] = JSON.parse(stdout);
    return { code, found, of: (about: string) => found.find((finding) => finding.about === about) };
  };
  const empty = await list();
  if (engine === 'sqlite')
    assert.match(empty.of('database')?.text ?? '', /^there is no Gastpass database in /);
  else
    assert.deepEqual(empty.of('tables'), {
      state: 'ok',
      about: 'tables',
      text: 'there are none yet, but all of them can be created',
    });
  await makeDatabase(dataDir);
  const { code, found, of } = await list();
  // The server of the tests does not sync to disk, and a data folder of the tests may be in memory.
  const expected = found.filter(
    ({ state, about }) => state === 'fault' && !/^(durability|file system)$/.test(about),
  );
  assert.deepEqual(expected, []);
  assert.equal(code, found.some(({ state }) => state === 'fault') ? 1 : 0);
  if (engine === 'sqlite') {
    assert.match(of('journal mode')?.text ?? '', /^wal, /);
    return;
  }
  assert.deepEqual(
    found.map(({ about }) => about).filter((about) => about !== 'collation'),
    [
      ...['connection', 'primary', 'PostgreSQL', 'clock', 'isolation', 'transactions', 'statement time-out'],
      ...['time-outs of the server', 'advisory locks', 'durability', 'standbys', 'connections', 'tables'],
    ],
  );
  assert.equal(of('tables')?.text, 'can be read and written');
  assert.equal(of('statement time-out')?.state, 'ok');
  const options = '-c default_transaction_isolation=serializable -c default_transaction_read_only=on';
  const url = new URL((await databaseSettings(dataDir)).DATABASE_URL ?? '');
  url.searchParams.set('options', `${options} -c synchronous_commit=off`);
  const crippled = await list({ DATABASE_URL: url.href });
  assert.equal(crippled.code, 1);
  assert.equal(crippled.of('primary')?.state, 'fault');
  assert.equal(crippled.of('isolation')?.state, 'warning');
  assert.equal(crippled.of('tables')?.state, 'fault');
  assert.match(JSON.stringify(crippled.found), /synchronous_commit is off/);
});
