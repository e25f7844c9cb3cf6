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
    assert.match(empty.of('Database')?.text ?? '', /^Cannot be opened: there is no Gastpass database in /);
  else
    assert.deepEqual(empty.of('Tables'), {
      state: 'ok',
      about: 'Tables',
      text: 'There are none yet, but all of them can be created',
    });
  await makeDatabase(dataDir);
  const { code, found, of } = await list();
  // The server of the tests does not sync to disk, and a data folder of the tests may be in memory.
  const expected = found.filter(
    ({ state, about }) => state === 'fault' && !/^(Durability|File system)$/.test(about),
  );
  assert.deepEqual(expected, []);
  assert.equal(code, found.some(({ state }) => state === 'fault') ? 1 : 0);
  if (engine === 'sqlite') {
    assert.match(of('Journal mode')?.text ?? '', /^wal, /);
    return;
  }
  assert.deepEqual(
    found.map(({ about }) => about).filter((about) => about !== 'Collation'),
    [
      ...['Connection', 'Primary', 'PostgreSQL', 'Clock', 'Isolation', 'Transactions', 'Statement time-out'],
      ...['Time-outs of the server', 'Advisory locks', 'Durability', 'Standbys', 'Connections', 'Tables'],
    ],
  );
  assert.equal(of('Tables')?.text, 'Can be read and written');
  assert.equal(of('Statement time-out')?.state, 'ok');
  const options = '-c default_transaction_isolation=serializable -c default_transaction_read_only=on';
  const url = new URL((await databaseSettings(dataDir)).DATABASE_URL ?? '');
  url.searchParams.set('options', `${options} -c synchronous_commit=off`);
  const crippled = await list({ DATABASE_URL: url.href });
  assert.equal(crippled.code, 1);
  assert.equal(crippled.of('Primary')?.state, 'fault');
  assert.equal(crippled.of('Isolation')?.state, 'warning');
  assert.equal(crippled.of('Tables')?.state, 'fault');
  assert.match(JSON.stringify(crippled.found), /synchronous_commit is off/);
});
