// Tests that retention reads no more rows than it deletes, by SQLite's own plans of the prepared queries and by
// PostgreSQL's count of the rows that it has read.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sql } from 'kysely';
import {
  deleteEmptyBatches,
  deleteOldAuditRows,
  deleteOldVouchers,
} from '../../src/kernel/vouchers/storage/retention-queries.ts';
import { makeRetentionStore } from '../../src/kernel/vouchers/storage/retention-store.ts';
import type { Handle } from '../../src/platform/database/database.ts';
import { openSqlite } from '../../src/platform/database/sqlite/open-sqlite.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { onEngine, postgres } from './engines.ts';
import { addSite, NOW_MS } from './samples.ts';

test('retention finds its rows by index: by end, by batch or by id', async (t) => {
  const { folder, remove } = makeFolder();
  const file = join(folder, 'gastpass.sqlite');
  const database = openSqlite(file);
  const beside = new DatabaseSync(file);
  t.after(async () => {
    beside.close();
    await database.close();
    remove();
  });
  const prepare = t.mock.method(DatabaseSync.prototype, 'prepare');
  const { preview, begin } = makeRetentionStore(database);
  await preview({ vouchersS: 1, auditMs: 1 });
  const run = begin({ nowMs: NOW_MS, runningMs: 0 }, () => true);
  await run.forgetVouchers(1);
  await run.forgetBatches(1, '');
  await run.forgetAudit(1, 0);
  // The slices above are empty, so nothing was deleted by id.
  await database.write((transaction) => deleteEmptyBatches(transaction, ['a'], 1));
  await database.write((transaction) => deleteOldAuditRows(transaction, [1], 1));
  const asked = prepare.mock.calls.map((call) => call.arguments[0]);
  prepare.mock.restore();

  const plan = asked
    .filter((sql) => /^(select|delete)\b/.test(sql))
    // Once a day, the rows of each table are counted.
    .filter((sql) => !/^select count\(\*\) as "count" from "\w+"$/.test(sql))
    .flatMap((sql) => beside.prepare(`explain query plan ${sql}`).all())
    .map(({ detail }) => String(detail));
  const ofVouchers = plan.filter((step) => /\bvouchers\b/.test(step));
  assert.match(ofVouchers[0] ?? '', /SEARCH vouchers USING (COVERING )?INDEX vouchers_over \(<expr><\?\)/);
  assert.ok(ofVouchers.some((step) => step.includes('vouchers_of_batch')));
  assert.ok(plan.some((step) => /SEARCH audit USING INTEGER PRIMARY KEY \(rowid>\?\)/.test(step)));
  // There are few intents, and the length of a selected slice is bounded.
  const isCostly = (step: string) => /\bSCAN (?!intents|looked)|TEMP B-TREE/.test(step);
  assert.deepEqual(plan.filter(isCostly), []);
});

onEngine(postgres, 'retention', (database) => {
  test('a slice of old vouchers is read by id, although the statistics know no old vouchers', async () => {
    const site = await addSite(database());
    const add = (handle: Handle, { count, endedAtS }: { count: number; endedAtS: number | null }) =>
      sql`insert into vouchers (site_id, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, used_count,
          controller_voucher_id, created_at_s, ended_at_s)
        select ${site}, '1', 'a', 1, 1, 0, 0, 0, 0, number::text, 1, ${endedAtS}::bigint
        from generate_series(1, ${count}::int) number`.execute(handle);
    const countRead = async (handle: Handle) => {
      const { rows } = await sql<{ count: number }>`
        select seq_tup_read + idx_tup_fetch as count from pg_stat_xact_user_tables where relname = 'vouchers'`.execute(
        handle,
      );
      return rows[0]?.count ?? 0;
    };
    await database().write(async (transaction) => {
      await add(transaction, { count: 300, endedAtS: null });
      await sql`analyze vouchers`.execute(transaction);
      await sql`delete from vouchers`.execute(transaction);
      await add(transaction, { count: 3_000, endedAtS: 1 });
      const before = await countRead(transaction);
      const deleted = await deleteOldVouchers(transaction, 2, 50);
      assert.equal(deleted.length, 50);
      assert.equal((await countRead(transaction)) - before, 2 * 50);
    });
  });
});
