// Starts one PostgreSQL server for all test files of a run, unless `TEST_DATABASE_URL` names a running server, and
// prepares a migrated database on it that tests copy.

import { openPostgres } from '../../src/storage/postgres/open-postgres.ts';
import { makeTestDatabase, type TestDatabase } from './postgres.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

let server: PostgresServer | undefined;
let template: TestDatabase | undefined;

export async function globalSetup(): Promise<void> {
  if (!process.env.TEST_DATABASE_URL) {
    server = await startPostgres();
    process.env.TEST_DATABASE_URL = server.url;
  }
  template = await makeTestDatabase();
  const migrated = await openPostgres({ url: template.url, poolSize: 1, statementTimeoutMs: 0 });
  await migrated.close();
  process.env.TEST_DATABASE_TEMPLATE = template.name;
}

export async function globalTeardown(): Promise<void> {
  if (server) server.stop();
  else await template?.drop();
}
