// Tests API keys of a release without restrictions: they may use all sites and do not expire, whether they were created
// before the upgrade or by an instance of that release afterwards. On every engine.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { asKeyId } from '../../src/kernel/ids.ts';
import { selectKey, selectKeys } from '../../src/kernel/keys/key-queries.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { migrations } from '../../src/platform/database/migrations/index.ts';
import { openPostgres } from '../../src/platform/database/postgres/open-postgres.ts';
import { openSqlite } from '../../src/platform/database/sqlite/open-sqlite.ts';
import { makeTestDatabase } from '../support/postgres.ts';
import { makeFolder } from '../support/run-gastpass.ts';

const VERSION = 8;

/** The statement with which the earlier release creates a key. */
function addKeyOfEarlierRelease(database: Database, id: string): Promise<unknown> {
  return database.write((transaction) =>
    sql`insert into api_keys (id, name, scope, rate_limit, key_hash, created_at_ms, last_used_at_ms)
      values (${id}, 'Theke', 'write', 60, 'abcd', 1, 2)`.execute(transaction),
  );
}

async function bringUpToDate(open: () => Promise<Database> | Database): Promise<void> {
  const later = migrations.splice(VERSION);
  try {
    const earlier = await open();
    await addKeyOfEarlierRelease(earlier, 'before00');
    await earlier.close();
  } finally {
    migrations.push(...later);
  }
  const updated = await open();
  await addKeyOfEarlierRelease(updated, 'beside00');
  const unrestricted = { sites: 'all', expiresAtMs: null } as const;
  for (const id of ['before00', 'beside00'])
    assert.deepEqual(await selectKey(updated.read, asKeyId(id)), {
      id,
      name: 'Theke',
      scope: 'write',
      rateLimit: 60,
      ...unrestricted,
      hash: Buffer.from('abcd', 'hex'),
      revoked: false,
    });
  for (const key of await selectKeys(updated.read))
    assert.partialDeepStrictEqual(key, { ...unrestricted, note: '', lastUsedAtMs: 2, lastUsedIp: null });
  await updated.close();
}

test('keys of an earlier release may use all sites and do not expire on SQLite', async () => {
  const { folder, remove } = makeFolder();
  await bringUpToDate(() => openSqlite(join(folder, 'gastpass.sqlite')));
  remove();
});

test('keys of an earlier release may use all sites and do not expire on PostgreSQL', async () => {
  const { url, drop } = await makeTestDatabase();
  await bringUpToDate(() => openPostgres({ url, poolSize: 2, statementTimeoutMs: 10_000 }));
  await drop();
});
