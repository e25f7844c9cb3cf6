// Starts one PostgreSQL server for all test files of a run, unless `TEST_DATABASE_URL` names a running server.

import { type PostgresServer, startPostgres } from './postgres-server.ts';

let server: PostgresServer | undefined;

export async function globalSetup(): Promise<void> {
  if (process.env.TEST_DATABASE_URL) return;
  server = await startPostgres();
  process.env.TEST_DATABASE_URL = server.url;
}

export async function globalTeardown(): Promise<void> {
  server?.stop();
}
