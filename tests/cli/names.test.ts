// Tests that the names given to commands follow the rule of the pages, and that stored names stay valid.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openRecords } from '../support/engine.ts';
import { makeFolder, runGastpass } from '../support/run-gastpass.ts';

const { folder: dataDir, remove } = makeFolder();
after(remove);
const gastpass = (...words: string[]) => runGastpass(words, { dataDir, environment: { GASTPASS_DEMO: '0' } });
const NAMES = ['Haus\rA', 'Haus\nA', 'Haus\u001b[31mA', 'Haus\u202eA', 'Haus\u200bA'] as const;

test('names with invisible characters are refused by every command that takes a name, and nothing is stored', async () => {
  assert.equal((await gastpass('migrate')).code, 0);
  assert.equal((await gastpass('sites', 'add', '--name', 'Haus A', '--controller', 'simulator')).code, 0);
  const url = 'https://chat.example/hook';
  const commands = [
    ['sites', 'add', '--controller', 'simulator'],
    ['sites', 'set', '1'],
    ['keys', 'create', '--scope', 'read'],
    ['users', 'add', '--email', 'ada@example.org'],
    ['webhooks', 'add', '--format', 'chat', '--url', url],
    ['printers', 'add', '--site', '1', '--kind', 'cloudprnt'],
    ['screens', 'add', '--site', '1', '--kind', 'kiosk'],
  ];
  await Promise.all(
    commands.map(async (words, n) => {
      const { code, stderr } = await gastpass(...words, '--name', NAMES[n % NAMES.length] ?? '');
      assert.equal(code, 2, words.join(' '));
      assert.match(stderr, /--name: contains invisible characters/);
    }),
  );
  const records = openRecords(dataDir);
  try {
    for (const table of ['api_keys', 'users', 'webhooks', 'printers', 'screens'])
      assert.deepEqual(records.rows(`select * from ${table}`), [], table);
    assert.deepEqual(
      records.rows('select name from sites').map(({ name }) => name),
      ['Haus A'],
    );
    records.change('update sites set name = ?', NAMES[3]);
    assert.equal((await gastpass('sites', 'set', '1', '--inactive')).code, 0, 'the stored name stays');
  } finally {
    records.close();
  }
});
