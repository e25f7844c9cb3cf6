// Reads and tries what Gastpass needs of a PostgreSQL server, for `gastpass doctor --database`. Leaves nothing behind:
// what it creates is rolled back. Works before the first start, too, and on servers that lack some functions.

import type { Pool, PoolClient } from 'pg';
import * as v from 'valibot';
import { beginWithin, guarded, makePool, type PostgresOptions } from './connection.ts';
import { createTables } from './migrate.ts';

const SERVER_SETTINGS = [
  'default_transaction_isolation',
  'transaction_read_only',
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'synchronous_standby_names',
  'statement_timeout',
  'lock_timeout',
  'transaction_timeout',
  'max_connections',
  'superuser_reserved_connections',
] as const;
/** Some settings may be missing: a server that is compatible with PostgreSQL does not always report them. */
export type ServerSettings = Partial<Record<(typeof SERVER_SETTINGS)[number], string>>;

const SERVER_CONNECTIONS = v.object({
  used: v.number(),
  /** The connection limit of the role; -1 means no limit. `ofDatabase` is the limit of the database. */
  ofRole: v.number(),
  ofDatabase: v.number(),
  standbys: v.number(),
});
export type ServerConnections = v.InferOutput<typeof SERVER_CONNECTIONS>;

/** The collation of the database. `recorded`: its version when the database was created. `actual`: its version now. */
const SERVER_COLLATION = v.object({
  name: v.string(),
  recorded: v.nullable(v.string()),
  actual: v.nullable(v.string()),
});
export type ServerCollation = v.InferOutput<typeof SERVER_COLLATION>;

export interface ServerConnection {
  isEncrypted: boolean;
  /** Whether a pooler such as PgBouncer is between this process and the server. */
  hasPooler: boolean;
  roundTripMs: number;
}

const ROUND_TRIPS = 5;
const CUT_AFTER_MS = 100;
const SLEEP_S = 5;
/** Differs from the lock of migrations, which another instance may need at the same time. */
const PROBE_LOCK = 482_715_937;
const QUERY_CANCELED = '57014';

const PLACE = v.object({ product: v.string(), role: v.string(), schema: v.nullable(v.string()) });

export type ServerChecklist = Awaited<ReturnType<typeof openServerChecklist>>;

export async function openServerChecklist(options: PostgresOptions) {
  const pool = await makePool({ ...options, poolSize: 1 });
  try {
    return { connection: await readConnection(pool), ...makeProbes(pool), close: () => pool.end() };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

async function readConnection(pool: Pool): Promise<ServerConnection> {
  const client = await guarded(() => pool.connect());
  try {
    const times: number[] = [];
    for (let turn = 0; turn < ROUND_TRIPS; turn++) {
      const startedAt = performance.now();
      await client.query('select 1');
      times.push(performance.now() - startedAt);
    }
    const { rows } = await client.query('select pg_backend_pid() as pid');
    return {
      isEncrypted: 'encrypted' in client.connection.stream,
      // A pooler announces a process id of its own, not the one of the server process.
      hasPooler: 'processID' in client && client.processID !== rows[0]?.pid,
      roundTripMs: times.sort((one, other) => one - other)[Math.floor(ROUND_TRIPS / 2)] ?? 0,
    };
  } finally {
    client.release();
  }
}

function makeProbes(pool: Pool) {
  const readRow = async (sql: string, values: unknown[] = []) => (await pool.query(sql, values)).rows[0];

  async function rolledBack<Value>(
    job: (client: PoolClient) => Promise<Value>,
    timeoutMs = 0,
  ): Promise<Value> {
    const client = await pool.connect();
    try {
      await client.query(beginWithin(timeoutMs));
      return await job(client);
    } finally {
      // Closing the connection rolls the transaction back, whatever state it is in.
      client.release(true);
    }
  }

  return {
    place: async () =>
      v.parse(
        PLACE,
        await readRow(
          'select version() as product, current_user::text as role, current_schema()::text as schema',
        ),
      ),
    isStandby: async () => (await readRow('select pg_is_in_recovery() as answer')).answer === true,
    async settings(): Promise<ServerSettings> {
      const { rows } = await pool.query('select name, setting from pg_settings where name = any($1)', [
        SERVER_SETTINGS,
      ]);
      return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
    },
    connections: async () =>
      v.parse(
        SERVER_CONNECTIONS,
        await readRow(`select
          (select count(*) from pg_stat_activity where backend_type = 'client backend') as "used",
          (select rolconnlimit from pg_roles where rolname = current_user) as "ofRole",
          (select datconnlimit from pg_database where datname = current_database()) as "ofDatabase",
          (select count(*) from pg_stat_replication) as "standbys"`),
      ),
    /** Returns undefined on servers before PostgreSQL 15. */
    async collation() {
      const known = await readRow("select to_regproc('pg_database_collation_actual_version') as answer");
      if (!known.answer) return undefined;
      return v.parse(
        SERVER_COLLATION,
        await readRow(`select datcollate as "name", datcollversion as "recorded",
          pg_database_collation_actual_version(oid) as "actual"
          from pg_database where datname = current_database()`),
      );
    },
    /** Throws if statements of one transaction do not reach the same connection of the server. */
    tryTransaction: () =>
      rolledBack(async (client) => {
        const pid = async () => (await client.query('select pg_backend_pid() as pid')).rows[0]?.pid;
        const first = await pid();
        if ((await pid()) !== first) throw new Error('a transaction changed its connection');
      }),
    /** Whether the server cancels a statement that takes too long. */
    tryTimeout: () =>
      rolledBack(
        (client) =>
          client.query('select pg_sleep($1)', [SLEEP_S]).then(
            () => false,
            (error) => {
              if (error.code === QUERY_CANCELED) return true;
              throw error;
            },
          ),
        CUT_AFTER_MS,
      ),
    tryAdvisoryLock: () =>
      rolledBack(
        async (client) => void (await client.query('select pg_try_advisory_xact_lock($1)', [PROBE_LOCK])),
      ),
    /** Creates all tables and rolls them back. */
    tryTables: () => rolledBack((client) => createTables((sql) => client.query(sql))),
  };
}
