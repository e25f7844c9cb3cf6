// Tests that memory does not grow with the number of searches: values are bound, and the statement cache is bounded.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { asSiteId } from '../../../src/kernel/ids.ts';
import { searchVouchers } from '../../../src/kernel/vouchers/storage/search-queries.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { openSqlite } from '../../../src/platform/database/sqlite/open-sqlite.ts';
import { makeFolder } from '../../support/run-gastpass.ts';

const SEARCHES = 20_000;
/** Without bound values and a bounded cache, it was more than 500 MB. Garbage alone can be 70 MB. */
const MAX_GROWTH_BYTES = 150_000_000;

const { folder, remove } = makeFolder();
let database: Database;
before(() => {
  database = openSqlite(`${folder}/gastpass.db`);
});
after(async () => {
  await database.close();
  remove();
});

test('20,000 searches at different times need no more memory than a few', async () => {
  const search = (nowS: number) =>
    searchVouchers(database, { siteIds: [asSiteId(1)], state: 'unused', limit: 25, nowS });
  for (let nowS = 0; nowS < 1_000; nowS++) await search(nowS);
  const before = process.memoryUsage().rss;
  for (let nowS = 1_000; nowS < SEARCHES; nowS++) await search(nowS);
  const grown = process.memoryUsage().rss - before;
  assert.ok(grown < MAX_GROWTH_BYTES, `${Math.round(grown / 1e6)} MB more`);
});

test('queries with 20,000 different texts need no more memory than a few', async () => {
  const query = (number: number) => sql.raw(`select ${number} as number`).execute(database.read);
  for (let number = 0; number < 1_000; number++) await query(number);
  const before = process.memoryUsage().rss;
  for (let number = 1_000; number < SEARCHES; number++) await query(number);
  const grown = process.memoryUsage().rss - before;
  assert.ok(grown < MAX_GROWTH_BYTES, `${Math.round(grown / 1e6)} MB more`);
});
