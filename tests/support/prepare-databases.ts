// Starts one PostgreSQL server for all test files of a run, unless `TEST_DATABASE_URL` names a running server. Prepares
// a migrated database on it, and the data folder of an installation on SQLite, which tests copy.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '../../src/platform/database/open-storage.ts';
import { openPostgres } from '../../src/platform/database/postgres/open-postgres.ts';
import { askServer, makeTestDatabase, type TestDatabase } from './postgres.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { until } from './until.ts';

let server: PostgresServer | undefined;
let template: TestDatabase | undefined;
const folder = mkdtempSync(join(tmpdir(), 'gastpass-template-'));

export async function globalSetup(): Promise<void> {
  const { database } = await openStorage({ dataDir: folder, secret: undefined });
  await database.close();
  process.env.TEST_FOLDER_TEMPLATE = folder;
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
  await until(async () => (await askServer(url, `select pid ${connections}`)).length === 0, { everyMs: 50 });
}

export async function globalTeardown(): Promise<void> {
  rmSync(folder, { recursive: true });
  if (server) server.stop();
  else await template?.drop();
}
