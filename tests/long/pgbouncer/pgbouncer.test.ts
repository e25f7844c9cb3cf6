// Tests the service behind PgBouncer in transaction mode, without any setting on either side.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Pgbouncer, startPgbouncer } from '../../support/pgbouncer.ts';
import { makeTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { checkStuckStatements } from '../../support/stuck-statements.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const CHEAP_PASSWORDS = new URL('../../support/cheap-passwords.ts', import.meta.url).href;
/** The API tests of creations, lists and limits, and the tests that settle what a crash left open. */
const FILES = 'tests/{api/{post-vouchers,get-vouchers,rate-limit},faults}/*.test.ts';

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

test('creations, lists and limits pass their tests', async () => {
  const files = globSync(FILES, { cwd: root }).sort();
  const { NODE_TEST_CONTEXT, ...environment } = process.env;
  const child = spawn(
    process.execPath,
    ['--test', '--test-isolation=none', '--test-reporter=dot', ...files],
    {
      cwd: root,
      env: {
        ...environment,
        TEST_ENGINE: 'postgres',
        TEST_DATABASE_URL: made.server,
        TEST_POOLER_URL: pgbouncer.through(made.server),
        NODE_OPTIONS: `--import=${CHEAP_PASSWORDS}`,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  assert.equal(code, 0, output);
});
