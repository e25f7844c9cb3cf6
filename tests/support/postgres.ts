// Creates a PostgreSQL database for each caller. `npm test` starts one server for all tests and names it in
// `TEST_DATABASE_URL`; a test file that runs alone starts its own server.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

let own: Promise<PostgresServer> | undefined;

async function serverUrl(): Promise<string> {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL;
  own ??= startPostgres().then((server) => {
    process.once('exit', server.stop);
    return server;
  });
  return (await own).url;
}

export interface TestDatabase {
  name: string;
  url: string;
  /** The URL of the server's maintenance database, from which this database is created and dropped. */
  server: string;
  /** Runs one query directly. */
  rows(sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]>;
  /** Runs a statement in a transaction that stays open, with its locks, until it is released. */
  hold(sql: string): Promise<{ release(): Promise<void> }>;
  drop(): Promise<void>;
}

/**
 * The database is empty. If `mayHaveTables`, it is a copy of the migrated database that `npm test` prepares, if there
 * is one: copying costs a fifth of migrating.
 */
export async function makeTestDatabase({ mayHaveTables = false } = {}): Promise<TestDatabase> {
  const server = await serverUrl();
  const template = mayHaveTables ? process.env.TEST_DATABASE_TEMPLATE : undefined;
  const name = `gastpass_test_${randomBytes(6).toString('hex')}`;
  await askServer(server, `create database ${name} ${template ? `template ${template}` : ''}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    server,
    rows: (sql, ...values) => askServer(url.href, sql, values),
    hold: (sql) => hold(url.href, sql),
    drop: async () => void (await askServer(server, `drop database if exists ${name} with (force)`)),
  };
}

async function hold(connectionString: string, sql: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('begin');
  await client.query(sql);
  return { release: () => client.end() };
}

export async function askServer(connectionString: string, sql: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows }: { rows: Record<string, unknown>[] } = await client.query(sql, values);
    return rows;
  } finally {
    await client.end();
  }
}
