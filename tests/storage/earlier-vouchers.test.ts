// Tests vouchers recorded by a release that could not sort by name: they get their sort key in slices. Also tests
// that a new release can start while an earlier release is recording.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { asSiteId } from '../../src/kernel/ids.ts';
import { makeFillNameSortKeys } from '../../src/kernel/vouchers/storage/name-sort-key-queries.ts';
import { searchVouchers } from '../../src/kernel/vouchers/storage/search-queries.ts';
import type { VoucherSearch } from '../../src/kernel/vouchers/voucher-search.ts';
import type { Database, Handle } from '../../src/platform/database/database.ts';
import { migrations } from '../../src/platform/database/migrations/index.ts';
import { openPostgres } from '../../src/platform/database/postgres/open-postgres.ts';
import { openSqlite } from '../../src/platform/database/sqlite/open-sqlite.ts';
import { makeTestDatabase } from '../support/postgres.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { until } from '../support/until.ts';

const VERSION = 6;
const NAMES = ['2026-01-15_Zimmer 12', '2026-01-16_balkon', '2026-01-15_Zimmer 2', 'x'.repeat(5_000)];

async function addSiteOfEarlierRelease(transaction: Handle): Promise<void> {
  await sql`insert into sites (name, active, controller_kind, controller_site, created_at_ms)
    values ('Haus A', 1, 'simulator', 'default', 1)`.execute(transaction);
}

async function addVoucherOfEarlierRelease(transaction: Handle, name: string): Promise<void> {
  await sql`insert into vouchers (site_id, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb,
    controller_voucher_id, used_count, created_at_s)
    values (1, '1', ${name}, 1, 1, 0, 0, 0, ${name}, 0, 1)`.execute(transaction);
}

async function bringUpToDate(open: () => Promise<Database> | Database): Promise<void> {
  const later = migrations.splice(VERSION);
  try {
    const earlier = await open();
    await earlier.write(async (transaction) => {
      await addSiteOfEarlierRelease(transaction);
      for (const name of NAMES) await addVoucherOfEarlierRelease(transaction, name);
    });
    await earlier.close();
  } finally {
    migrations.push(...later);
  }
  const updated = await open();
  const fillNameSortKeys = makeFillNameSortKeys(updated);
  assert.equal(await fillNameSortKeys(asSiteId(1), 3), 3);
  assert.equal(await fillNameSortKeys(asSiteId(1), 3), 1);
  assert.equal(await fillNameSortKeys(asSiteId(1), 3), 0);
  const input: VoucherSearch = { siteIds: [asSiteId(1)], sort: 'name', limit: 9, nowS: 1 };
  const { vouchers } = await searchVouchers(updated, input);
  await updated.close();
  assert.deepEqual(
    vouchers.map(({ name, createdBy }) => [name.slice(0, 20), createdBy]),
    [NAMES[1], NAMES[3], NAMES[2], NAMES[0]].map((name) => [name?.slice(0, 20), null]),
  );
}

test('vouchers of an earlier release get their sort key on SQLite', async () => {
  const { folder, remove } = makeFolder();
  await bringUpToDate(() => openSqlite(join(folder, 'gastpass.sqlite')));
  remove();
});

test('vouchers of an earlier release get their sort key on PostgreSQL', async () => {
  const { url, drop } = await makeTestDatabase();
  await bringUpToDate(() => openPostgres({ url, poolSize: 2, statementTimeoutMs: 10_000 }));
  await drop();
});

test('on PostgreSQL a new release can start while an earlier release records a voucher', async () => {
  const { url, drop } = await makeTestDatabase();
  const open = () => openPostgres({ url, poolSize: 2, statementTimeoutMs: 10_000 });
  const later = migrations.splice(VERSION);
  const earlier = await open();
  migrations.push(...later);
  await earlier.write((transaction) => addSiteOfEarlierRelease(transaction));

  let updated: Promise<Database> | undefined;
  const isWaiting = async (handle: Handle) => {
    const found =
      await sql`select 1 from pg_locks where not granted and relation = 'vouchers'::regclass`.execute(handle);
    return found.rows.length > 0;
  };
  await earlier.write(async (transaction) => {
    await addVoucherOfEarlierRelease(transaction, 'Zimmer 7');
    updated ??= open();
    await until(() => isWaiting(earlier.read));
    await sql`update sites set list_version = list_version + 1`.execute(transaction);
  });
  const database = await updated;
  assert.equal(await makeFillNameSortKeys(database ?? earlier)(asSiteId(1), 9), 1);
  await database?.close();
  await earlier.close();
  await drop();
});
