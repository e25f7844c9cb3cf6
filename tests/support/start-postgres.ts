// Starts one PostgreSQL server for all test files of a run, unless `TEST_DATABASE_URL` names a running server, and
// prepares a migrated database on it that tests copy.

import { setTimeout as sleep } from 'node:timers/promises';
import { openPostgres } from '../../src/storage/postgres/open-postgres.ts';
import { askServer, makeTestDatabase, type TestDatabase } from './postgres.ts';
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
  await closeForConnections(template);
  process.env.TEST_DATABASE_TEMPLATE = template.name;
}

/** PostgreSQL copies a database only if nobody is connected to it; on a busy machine, connections take long to end. */
async function closeForConnections({ name, server: url }: TestDatabase): Promise<void> {
  await askServer(url, `alter database ${name} with allow_connections false`);
  const connections = `from pg_stat_activity where datname = '${name}'`;
  await askServer(url, `select pg_terminate_backend(pid) ${connections}`);
  while ((await askServer(url, `select pid ${connections}`)).length > 0) await sleep(50);
}

export async function globalTeardown(): Promise<void> {
  if (server) server.stop();
  else await template?.drop();
}
