// Runs statements that never end by themselves, and checks that the server no longer runs them after the time-out.

import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Handle } from '../../src/platform/database/database.ts';
import { openPostgres } from '../../src/platform/database/postgres/open-postgres.ts';
import { DatabaseUnavailable } from '../../src/platform/values/database-unavailable.ts';
import type { TestDatabase } from './postgres.ts';

const STATEMENT_TIMEOUT_MS = 300;
const SLEEP_S = 600;

/** `url` leads to the database, directly or through a pooler. */
export async function checkStuckStatements(made: Pick<TestDatabase, 'rows'>, url: string): Promise<void> {
  const database = await openPostgres({ url, poolSize: 3, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  const sleepLong = (handle: Handle) => sql`select pg_sleep(${SLEEP_S})`.execute(handle);
  try {
    await assert.rejects(sleepLong(database.read), DatabaseUnavailable);
    await assert.rejects(database.write(sleepLong), DatabaseUnavailable);
    const running = "select 1 from pg_stat_activity where state = 'active' and query like 'select pg_sleep%'";
    assert.deepEqual(await made.rows(running), [], 'the server still runs a statement');

    // The server itself ends the transaction of an instance that hangs and sends no request to cancel.
    const { rows } = await database.write((transaction) =>
      sql`select current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle`.execute(transaction),
    );
    assert.deepEqual(rows, [{ statement: `${STATEMENT_TIMEOUT_MS}ms`, idle: '10s' }]);
  } finally {
    await database.close();
  }
}
