// Tests that retention reads no more rows than it deletes, by SQLite's own plans of the prepared queries.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import { makeRetentionStore } from '../../src/storage/vouchers/retention-store.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { NOW_MS } from './samples.ts';

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
