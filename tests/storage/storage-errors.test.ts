// Tests that writes report errors of the disk, and no other errors, on every engine; and that the attempt to write
// needs space on the disk but leaves nothing behind.

import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { makeTryWrite } from '../../src/kernel/settings/installation-store.ts';
import { openSqlite } from '../../src/platform/database/sqlite/open-sqlite.ts';
import { reportingStorageErrors, storageErrorReason } from '../../src/platform/database/storage-errors.ts';
import { DatabaseError } from '../../src/platform/values/database-error.ts';
import { DatabaseUnavailable } from '../../src/platform/values/database-unavailable.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { engines, onEngine, onEveryEngine, postgres } from './engines.ts';

const PATIENCE_MS = 20_000;

onEveryEngine('errors of the disk', (database) => {
  test('another error of the database is not reported', async () => {
    const reported: string[] = [];
    const reporting = reportingStorageErrors(database(), {
      note: (reason) => void reported.push(reason),
      recent: () => undefined,
    });
    const broken = reporting.write((transaction) =>
      sql`insert into no_such_table values (1)`.execute(transaction),
    );
    await assert.rejects(broken, DatabaseError);
    assert.deepEqual(reported, []);
  });

  test('the attempt to write succeeds and leaves nothing behind', async () => {
    await makeTryWrite(database())();
    const rows = database().read.selectFrom('settings').select('value').where('name', '=', 'last_probe');
    assert.deepEqual(await rows.execute(), []);
  });
});

const [sqlite = postgres] = engines;
onEngine(sqlite, 'a file that cannot grow', (database) => {
  test('is reported as a full disk', async () => {
    const reported: string[] = [];
    const reporting = reportingStorageErrors(database(), {
      note: (reason) => void reported.push(reason),
      recent: () => undefined,
    });
    await reporting.write((transaction) => sql`pragma max_page_count = 1`.execute(transaction));
    await assert.rejects(makeTryWrite(reporting)(), /database or disk is full/);
    assert.deepEqual(reported, ['disk-full']);
  });
});

test('the attempt to write makes SQLite write to its file, although it is rolled back', async (t) => {
  const { folder, remove } = makeFolder();
  const database = openSqlite(join(folder, 'gastpass.sqlite'));
  t.after(async () => {
    await database.close();
    remove();
  });
  const size = () => statSync(join(folder, 'gastpass.sqlite-wal')).size;
  const before = size();
  await makeTryWrite(database)();
  assert.ok(size() - before >= 32_768, `${size() - before} bytes`);
});

onEngine(postgres, 'errors of the server', (database) => {
  const raising = (code: string) =>
    sql`do ${sql.lit(`begin raise exception using errcode = '${code}'; end`)}`;

  test('are reported by what is wrong with its disk', async () => {
    const reported: string[] = [];
    const reporting = reportingStorageErrors(database(), {
      note: (reason) => void reported.push(reason),
      recent: () => undefined,
    });
    for (const code of ['53100', '25006', '58030', 'XX001', '53300', '23505'])
      await assert.rejects(reporting.write((transaction) => raising(code).execute(transaction)));
    await assert.rejects(
      async () => reporting.writeAtOnce?.((handle) => raising('53100').execute(handle)),
      (error) => storageErrorReason(error) === 'disk-full',
    );
    assert.deepEqual(reported, ['disk-full', 'read-only', 'io-error', 'damaged', 'disk-full']);
    reporting.needIntact?.();
  });

  test('after an error of a damaged database, no vouchers may be ordered', () => {
    const damaged = reportingStorageErrors(database(), { note: () => {}, recent: () => 'damaged' });
    assert.throws(() => damaged.needIntact?.(), DatabaseUnavailable);
  });

  test('the attempt to write makes the server write a temporary file', async () => {
    const written = sql<{ bytes: number }>`select temp_bytes as bytes from pg_stat_database
      where datname = current_database()`;
    const read = async () => Number((await written.execute(database().read)).rows[0]?.bytes);
    const before = await read();
    const giveUpAt = performance.now() + PATIENCE_MS;
    // The server publishes its statistics after a while, at the end of a transaction.
    do await database().write((transaction) => database().needDisk(transaction));
    while ((await read()) - before < 65_536 && performance.now() < giveUpAt);
    assert.ok((await read()) - before >= 65_536);
  });
});
