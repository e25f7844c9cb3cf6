// Tests the settings of the SQLite connections that durability and integrity depend on, on the connections that the
// service uses.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { makePersonalDataStore } from '../../src/kernel/privacy/personal-data-store.ts';
import { makePersonalText } from '../../src/kernel/privacy/personal-text.ts';
import type { Handle } from '../../src/platform/database/database.ts';
import { openSqlite } from '../../src/platform/database/sqlite/open-sqlite.ts';
import { TESTER } from '../support/actors.ts';
import { insertEarlierEntry } from '../support/earlier-entries.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { tables } from '../support/tables.ts';
import { seal } from './samples.ts';

const { folder, remove } = makeFolder();
const database = openSqlite(join(folder, 'gastpass.sqlite'));
after(async () => {
  await database.close();
  remove();
});

async function pragma(handle: Handle, name: string): Promise<unknown> {
  const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(handle);
  return Object.values(rows[0] ?? {})[0];
}

const expected = { journal_mode: 'wal', foreign_keys: 1 };
// `normal`: its commits are synced by the process itself, and its checkpoints run in a worker thread.
const ofWriter = { ...expected, synchronous: 1, wal_autocheckpoint: 0 };
const ofReader = { ...expected, synchronous: 2 };

for (const [name, value] of Object.entries(ofWriter))
  test(`the writing connection has ${name} = ${value}`, async () => {
    assert.equal(await database.write((transaction) => pragma(transaction, name)), value);
  });

for (const [name, value] of Object.entries(ofReader))
  test(`the reading connection has ${name} = ${value}`, async () => {
    assert.equal(await pragma(database.read, name), value);
  });

test('the writing connection overwrites what it erases', async () => {
  const audit = { actor: TESTER, atMs: 1 };
  await database.write((to) => insertEarlierEntry(to, { ...audit, action: 'x', subject: 'Ida Lang' }));
  const name = makePersonalText('Ida Lang');
  assert.ok(name.ok);
  assert.equal(await database.write((to) => pragma(to, 'secure_delete')), 0);
  await makePersonalDataStore(database, seal, tables).erase(name.value, audit);
  assert.equal(await database.write((to) => pragma(to, 'secure_delete')), 1);
});

test('the reading connection cannot write', async () => {
  await assert.rejects(
    sql`insert into settings (name, value) values ('x', 'y')`.execute(database.read),
    /readonly|read-only|attempt to write/i,
  );
});

test('a text is refused in an integer column', async () => {
  const write = database.write((transaction) =>
    sql`insert into audit (at_ms, actor, action, subject) values ('soon', '', '', '')`.execute(transaction),
  );
  await assert.rejects(write, /cannot store TEXT/);
});
