// A synchronous standby that does not confirm a commit: the statement must not count as done. PostgreSQL reports
// success for a statement that is cancelled while it waits for the standby.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import type { Database } from '../../../src/platform/database/database.ts';
import { upsertSetting } from '../../../src/platform/database/installation-queries.ts';
import { openPostgres } from '../../../src/platform/database/postgres/open-postgres.ts';
import { DatabaseUnavailable } from '../../../src/platform/values/database-unavailable.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { until } from '../../support/until.ts';

let server: PostgresServer;
let database: Database;
before(async () => {
  server = await startPostgres();
  database = await openPostgres({ url: server.url, poolSize: 4, statementTimeoutMs: 1_000 });
  await expectStandby("'nobody'");
  await untilCommitsWait();
});
after(async () => {
  await expectStandby("''");
  await database.close();
  server.stop();
});

async function expectStandby(name: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`alter system set synchronous_standby_names = ${name}`);
  await client.query('select pg_reload_conf()');
  await client.end();
}

/** The server applies its new settings a moment later. */
async function untilCommitsWait(): Promise<void> {
  const [probe, observer] = [1, 2].map(() => new pg.Client({ connectionString: server.url }));
  assert.ok(probe && observer);
  await Promise.all([probe.connect(), observer.connect()]);
  let cancelled = 0;
  while (cancelled === 0) {
    let isCommitted = false;
    const committing = probe.query("select pg_logical_emit_message(true, 'probe', '')").then(() => {
      isCommitted = true;
    });
    await until(async () => {
      const waiting = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";
      cancelled += (await observer.query(waiting)).rows.length;
      return isCommitted;
    });
    await committing;
  }
  await Promise.all([probe.end(), observer.end()]);
}

test('a statement that the standby does not confirm is not reported as done', async () => {
  const { writeAtOnce } = database;
  assert.ok(writeAtOnce);
  const written = writeAtOnce((handle) => upsertSetting(handle, 'last_probe', '1'));
  await assert.rejects(written, DatabaseUnavailable);
});

test('nor is a transaction', async () => {
  const written = database.write((transaction) => upsertSetting(transaction, 'last_probe', '2'));
  await assert.rejects(written, DatabaseUnavailable);
});
