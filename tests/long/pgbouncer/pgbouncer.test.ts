// Tests the service behind PgBouncer in transaction mode, without any setting on either side.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { compileOnce, type Placeholders } from '../../../src/platform/database/compiled-query.ts';
import type { Handle } from '../../../src/platform/database/database.ts';
import { openPostgres } from '../../../src/platform/database/postgres/open-postgres.ts';
import { type Pgbouncer, startPgbouncer } from '../../support/pgbouncer.ts';
import { makeTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { checkStuckStatements } from '../../support/stuck-statements.ts';

const RUN_SUITES = fileURLToPath(new URL('../../support/run-suites.ts', import.meta.url));
const FOLDERS = ['tests/api/post-vouchers', 'tests/api/get-vouchers', 'tests/api/rate-limit', 'tests/faults'];

let made: TestDatabase;
let pgbouncer: Pgbouncer;
before(async () => {
  made = await makeTestDatabase();
  pgbouncer = await startPgbouncer(made.server);
});
after(async () => {
  await pgbouncer.stop();
  await made.drop();
});

test('a stuck statement is cut on the server', () => checkStuckStatements(made, pgbouncer.through(made.url)));

test('reused queries run on any connection to the server', async () => {
  const url = pgbouncer.through(made.url);
  const database = await openPostgres({ url, poolSize: 4, statementTimeoutMs: 5_000 });
  const add = compileOnce(
    (_: Handle, { more }: Placeholders<{ more: number }>) =>
      sql<{ sum: number }>`select 1 + ${more}::int as sum from pg_sleep(0.01)`,
  );
  const sumOf = async (handle: Handle) => (await add(handle, { more: 1 })).rows[0]?.sum;
  try {
    const sums = Array.from({ length: 50 }, (_, index) =>
      index % 2 === 0 ? sumOf(database.read) : database.write(sumOf),
    );
    assert.deepEqual(new Set(await Promise.all(sums)), new Set([2]));
  } finally {
    await database.close();
  }
});

test('creations, lists, limits and settling pass their tests', async () => {
  const { NODE_TEST_CONTEXT, TEST_COMMANDS_APART, ...environment } = process.env;
  const child = spawn(process.execPath, [RUN_SUITES, 'everyday', 'postgres', ...FOLDERS], {
    env: {
      ...environment,
      TEST_DATABASE_URL: made.server,
      TEST_POOLER_URL: pgbouncer.through(made.server),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  assert.equal(code, 0, output);
});
