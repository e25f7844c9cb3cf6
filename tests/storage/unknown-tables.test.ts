// Tests that rows of tables that no part of the program knows are not lost unnoticed: backups, restores, moves, rekeys
// and searches for personal data refuse them.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { makePersonalDataStore } from '../../src/kernel/privacy/personal-data-store.ts';
import { makePersonalText } from '../../src/kernel/privacy/personal-text.ts';
import { renewSealedValues } from '../../src/kernel/rekey/rekey-store.ts';
import { backUpToFile } from '../../src/platform/backup/create-backup.ts';
import { restoreBackup } from '../../src/platform/backup/restore-backup.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { checkIntegrity } from '../../src/platform/database/integrity.ts';
import { moveToPostgres } from '../../src/platform/database/move/move-to-postgres.ts';
import { openStorage, type StorageLocation } from '../../src/platform/database/open-storage.ts';
import { openPostgres } from '../../src/platform/database/postgres/open-postgres.ts';
import { openSqlite } from '../../src/platform/database/sqlite/open-sqlite.ts';
import { makeSeal } from '../../src/platform/secrets/seal.ts';
import { TESTER } from '../support/actors.ts';
import { makeTestDatabase } from '../support/postgres.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { tables } from '../support/tables.ts';
import { fillTables } from './filled-tables.ts';

const { printers: _, ...known } = tables;
const UNKNOWN = /no part of this program knows the table "printers" \(rows: 1\)/;
const SECRET = 'a secret of the tests, long enough';
const { folder, remove } = makeFolder();
after(remove);

const fileOf = (name: string) => join(folder, name, 'gastpass.sqlite');
const placeOf = (name: string): StorageLocation => ({ dataDir: join(folder, name), secret: SECRET });

async function addFilled(name: string): Promise<Database> {
  mkdirSync(join(folder, name));
  const database = openSqlite(fileOf(name));
  fillTables(fileOf(name), 3);
  await database.write((transaction) =>
    transaction.deleteFrom('settings').where('name', '=', 'secret_check').execute(),
  );
  await (await openStorage(placeOf(name))).database.close();
  return database;
}

const backUp = (place: StorageLocation, declared: typeof tables, file: string) =>
  backUpToFile(place, file, { declared, passphrase: undefined, release: '0.2.0', nowMs: 0 });

test('backup, move, rekey and privacy refuse rows of an unknown table, verify reports them, and empty tables are no hindrance', async () => {
  const server = await makeTestDatabase();
  const options = { url: server.url, poolSize: 2, statementTimeoutMs: 10_000 };
  const target = await openPostgres(options, { forMoveToPostgres: true });
  const source = await addFilled('source');
  const move = () => moveToPostgres(source, target, { tables: known, onProgress: () => {} });
  const seal = makeSeal(SECRET);
  const audit = { actor: TESTER, atMs: 0 };
  const text = makePersonalText('Anna Kern');
  assert.ok(text.ok);
  const personal = makePersonalDataStore(source, seal, known);

  await assert.rejects(backUp(placeOf('source'), known, join(folder, 'refused')), UNKNOWN);
  await assert.rejects(move(), UNKNOWN);
  await assert.rejects(renewSealedValues(source, seal, { tables: known, audit }), UNKNOWN);
  await assert.rejects(personal.find(text.value)[Symbol.asyncIterator]().next(), UNKNOWN);
  await assert.rejects(personal.erase(text.value, audit), UNKNOWN);
  assert.match(String((await checkIntegrity(placeOf('source'), known)).defects), UNKNOWN);

  await source.write((transaction) => transaction.deleteFrom('printers').execute());
  await source.write((transaction) => sql`create table notes (text text)`.execute(transaction));
  await backUp(placeOf('source'), known, join(folder, 'made'));
  await move();
  await Promise.all([source.close(), target.close()]);

  // A table of somebody else in the database is none of our business.
  await server.rows("create table notes as select 'x' as text");
  const place = { ...placeOf('server'), database: options };
  await backUp(place, known, join(folder, 'of-server'));
  await server.drop();
});

test('a backup with rows of an unknown table is not restored, one with an empty unknown table is', async () => {
  const source = await addFilled('full');
  const restore = (name: string) =>
    restoreBackup(placeOf(`restored-${name}`), {
      declared: known,
      file: join(folder, name),
      passphrase: undefined,
      onProgress: () => {},
    });
  await backUp(placeOf('full'), tables, join(folder, 'with-rows'));
  await assert.rejects(restore('with-rows'), /contains the unknown table "printers"/);
  await source.write((transaction) => transaction.deleteFrom('printers').execute());
  await backUp(placeOf('full'), tables, join(folder, 'empty'));
  await restore('empty');
  await source.close();
});
