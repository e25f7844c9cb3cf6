// Vouchers that a release without the order by name has recorded: brought up to date, they have their place in it,
// on every engine.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { asSiteId } from '../../src/domain/ids.ts';
import type { VoucherSearch } from '../../src/domain/vouchers/voucher-search.ts';
import type { Database } from '../../src/storage/database.ts';
import { migrations } from '../../src/storage/migrations/index.ts';
import { openPostgres } from '../../src/storage/postgres/open-postgres.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import { searchVouchers } from '../../src/storage/voucher-search-queries.ts';
import { makeTestDatabase } from '../support/postgres.ts';
import { makeFolder } from '../support/run-gastpass.ts';

const VERSION = 6;
const NAMES = ['2026-01-15_Zimmer', '2026-01-16_balkon', 'Fremd-10_x', 'x'.repeat(5_000)];

async function bringUpToDate(open: () => Promise<Database> | Database): Promise<void> {
  const later = migrations.splice(VERSION);
  try {
    const earlier = await open();
    await earlier.write(async (transaction) => {
      await sql`insert into sites (name, active, controller_kind, controller_site, created_at_ms)
        values ('Haus A', 1, 'simulator', 'default', 1)`.execute(transaction);
      for (const name of NAMES)
        await sql`insert into vouchers (site_id, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb,
          controller_voucher_id, used_count, created_at_s) values (1, '1', ${name}, 1, 1, 0, 0, 0, ${name}, 0, 1)`.execute(
          transaction,
        );
    });
    await earlier.close();
  } finally {
    migrations.push(...later);
  }
  const updated = await open();
  const wish: VoucherSearch = { siteIds: [asSiteId(1)], sort: 'name', atMost: 9, nowS: 1 };
  const { vouchers } = await searchVouchers(updated.read, wish);
  await updated.close();
  assert.deepEqual(
    vouchers.map(({ name, source }) => [name.slice(0, 20), source]),
    [NAMES[1], NAMES[2], NAMES[3], NAMES[0]].map((name) => [name?.slice(0, 20), null]),
  );
}

test('vouchers of an earlier release have their place by name on SQLite', async () => {
  const { folder, remove } = makeFolder();
  await bringUpToDate(() => openSqlite(join(folder, 'gastpass.sqlite')));
  remove();
});

test('vouchers of an earlier release have their place by name on PostgreSQL', async () => {
  const { url, drop } = await makeTestDatabase();
  await bringUpToDate(() => openPostgres({ url, poolSize: 2, statementTimeoutMs: 10_000 }));
  await drop();
});
