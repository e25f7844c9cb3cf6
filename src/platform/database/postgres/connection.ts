// The pool of PostgreSQL connections and the Kysely driver that uses it. The type bigint is returned as a number, and
// errors are thrown as DatabaseUnavailable if they are transient, otherwise as DatabaseError.

import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  PostgresDriver,
  type QueryResult,
} from 'kysely';
import type { CustomTypesConfig, Pool, PoolClient } from 'pg';
import { makeSemaphore, type Semaphore } from '../../concurrency/semaphore.ts';
import { DatabaseError } from '../../values/database-error.ts';
import { DatabaseUnavailable } from '../../values/database-unavailable.ts';
import { BoundAtRun, type Handle, toStoredText, type Urgency } from '../database.ts';
import type { Tables } from '../schema.ts';
import { cancelStatement } from './cancel-statement.ts';
import { makeStatementNames } from './statement-names.ts';

export interface PostgresOptions {
  url: string;
  poolSize: number;
  /** 0 means no time-out. */
  statementTimeoutMs: number;
}

/**
 * How long to wait for a new connection. The semaphore admits only as many callers as the pool has connections, so
 * this time is never spent waiting for another caller.
 */
const CONNECT_TIMEOUT_MS = 5_000;
/** How long to wait while others use all connections. Unlike a server that is down, others will release theirs. */
const MAX_WAIT_MS = 15_000;
/** The server ends a transaction that is idle for this long, so that a hanging instance releases its locks. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** Connections are replaced after this time, so that a database that moved to another host is found. */
const MAX_CONNECTION_S = 600;
/**
 * A connection discards the plans of its prepared statements after this number of statements. A plan that was made for
 * a small table reads the whole table, and the server keeps it while the table grows, until it analyzes the table.
 */
const STATEMENTS_PER_PLAN = 1_000;
const BIGINT = 20;

/** Disposing ends the pool. */
export async function makePool(options: PostgresOptions): Promise<Pool & AsyncDisposable> {
  const { url, poolSize, statementTimeoutMs } = options;
  // The driver is loaded only if PostgreSQL is used.
  const { default: pg } = await import('pg');
  const types: CustomTypesConfig = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === BIGINT ? Number : pg.types.getTypeParser(oid, format),
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    types,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // The driver's own time-out is for a server that no longer responds and so cannot cancel a statement.
    query_timeout: statementTimeoutMs && statementTimeoutMs + 1_000,
    maxLifetimeSeconds: MAX_CONNECTION_S,
    application_name: 'gastpass',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // The pool replaces a broken connection. If the server is down, the next query reports it.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.end() });
}

/**
 * Begins a transaction with its time-outs, in one round trip. The time-outs are not set for the connection: PgBouncer
 * refuses them there, and may give each transaction another connection to the server.
 */
export function beginWithin(statementTimeoutMs: number): string {
  return `begin; set local statement_timeout = ${statementTimeoutMs};
    set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`;
}

/** Destroying or disposing the handle ends its pool. */
export async function connectPostgres(options: PostgresOptions): Promise<Handle> {
  const pool = await makePool(options);
  const dialect = new PostgresDialect({ pool });
  dialect.createDriver = () => new GuardedDriver(pool, options.statementTimeoutMs);
  return new Kysely<Tables>({ dialect });
}

/**
 * Queues callers, cancels statements that take too long, and translates transient errors. A connection with a transient
 * error is discarded.
 */
class GuardedDriver extends PostgresDriver {
  readonly #pool: Pool;
  readonly #statementTimeoutMs: number;
  readonly #semaphore: Semaphore;
  readonly #names = makeStatementNames();
  readonly #clients = new WeakMap<DatabaseConnection, PoolClient>();
  readonly #spoiled = new WeakSet<DatabaseConnection>();
  readonly #inTransaction = new WeakSet<DatabaseConnection>();
  /** Clients that `acquireConnection` took from the pool. The function `connect` passes them to the base class. */
  readonly #handed: PoolClient[];

  constructor(pool: Pool, statementTimeoutMs: number) {
    const handed: PoolClient[] = [];
    const connect = async () => handed.shift() ?? pool.connect();
    super({ pool: { connect, end: () => pool.end(), options: pool.options } });
    this.#pool = pool;
    this.#statementTimeoutMs = statementTimeoutMs;
    this.#semaphore = makeConnectionSemaphore(pool.options.max);
    this.#handed = handed;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    await takePlace(this.#semaphore);
    try {
      // Without a connection the database is unavailable, even if the reason is a wrong password or an expired
      // certificate.
      const client = await this.#pool.connect().catch((error) => {
        throw new DatabaseUnavailable(error);
      });
      this.#handed.push(client);
      const connection = await super.acquireConnection();
      if (!this.#clients.has(connection)) this.#guard(connection, client);
      this.#clients.set(connection, client);
      return connection;
    } catch (error) {
      this.#semaphore.release();
      throw error;
    }
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    try {
      this.#clients.get(connection)?.release(this.#spoiled.has(connection));
    } finally {
      this.#semaphore.release();
    }
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(beginWithin(this.#statementTimeoutMs)));
    this.#inTransaction.add(connection);
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection).finally(() => this.#inTransaction.delete(connection));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection).finally(() => this.#inTransaction.delete(connection));
  }

  #guard(connection: DatabaseConnection, client: PoolClient): void {
    const execute = this.#makeExecute(connection, client);
    const spoil = () => this.#spoiled.add(connection);
    connection.executeQuery = async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
      const parameters = query.parameters.map(toParameter);
      // In a transaction, the server itself cancels statements that take too long.
      const isLimited = this.#statementTimeoutMs > 0 && !this.#inTransaction.has(connection);
      const patience = isLimited ? this.#cancelLate(connection, client) : undefined;
      try {
        const result = await guarded(() => execute<Row>({ ...query, parameters }), spoil);
        // With a synchronous standby, a cancelled statement reports success although the standby may not have its
        // changes.
        if (patience?.isCancelled()) throw new DatabaseUnavailable(new Error('the statement took too long'));
        return result;
      } finally {
        patience?.end();
      }
    };
  }

  #makeExecute(connection: DatabaseConnection, client: PoolClient) {
    const executeUnnamed = connection.executeQuery.bind(connection);
    let executed = 0;
    return async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
      // In a transaction, a refused name would abort what was done before.
      const name = this.#inTransaction.has(connection) ? undefined : this.#names.nameOf(query);
      if (!name) return executeUnnamed(query);
      if (++executed % STATEMENTS_PER_PLAN === 0) await client.query('discard plans');
      try {
        return await executeNamed(client, name, query);
      } catch (error) {
        if (!isNameRefused(error)) throw error;
        this.#names.stop();
        return executeUnnamed(query);
      }
    };
  }

  /** Cancels a statement that takes too long. Outside of a transaction, the server has no time-out. */
  #cancelLate(connection: DatabaseConnection, client: PoolClient) {
    let isCancelled = false;
    let pending: NodeJS.Immediate | undefined;
    const cancel = () => {
      isCancelled = true;
      // The cancellation may arrive after the statement has ended, so no other caller may use the connection.
      this.#spoiled.add(connection);
      cancelStatement(client);
    };
    const timer = setTimeout(() => {
      // If this process was busy, the response may have arrived already. `setImmediate` lets it be read before `cancel`
      // runs.
      pending = setImmediate(cancel);
    }, this.#statementTimeoutMs);
    return {
      isCancelled: () => isCancelled,
      end() {
        clearTimeout(timer);
        clearImmediate(pending);
      },
    };
  }
}

async function executeNamed<Row>(
  client: PoolClient,
  name: string,
  { sql: text, parameters }: CompiledQuery,
): Promise<QueryResult<Row>> {
  const { rows, rowCount } = await client.query({ name, text, values: [...parameters] });
  return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
}

export function makeConnectionSemaphore(places: number): Semaphore {
  return makeSemaphore({ places, maxWaitMs: MAX_WAIT_MS });
}

export async function takePlace(semaphore: Semaphore, urgency?: Urgency): Promise<void> {
  if (await semaphore.acquire(urgency === 'finishes')) return;
  throw new DatabaseUnavailable(new Error('too many wait for a connection'));
}

function toParameter(value: unknown): unknown {
  if (value instanceof BoundAtRun) return value.read();
  return typeof value === 'string' ? toStoredText(value) : value;
}

/** The code of errors that a trigger raises. Their text was written for the caller, so they are passed on unchanged. */
const RAISED_BY_TRIGGER = 'P0001';

export async function guarded<Value>(step: () => Promise<Value>, onUnavailable = () => {}): Promise<Value> {
  try {
    return await step();
  } catch (error) {
    const code = codeOf(error);
    if (!isUnavailable(error)) throw code && code !== RAISED_BY_TRIGGER ? new DatabaseError(error) : error;
    onUnavailable();
    throw new DatabaseUnavailable(error);
  }
}

/**
 * Classes and codes of transient PostgreSQL errors: connection failure, out of resources, shutdown or cancellation by
 * time-out, lock not available, read-only standby, system error. Network errors have no PostgreSQL code; they are
 * recognised by their message or by a code such as ECONNREFUSED.
 */
const UNAVAILABLE = /^(08|53|57|55P03|25006|58)/;

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code === undefined) return /timeout|terminated|connection|ended/i.test(error.message);
  return UNAVAILABLE.test(code) || /^E[A-Z_]+$/.test(code);
}

/** Deadlock or serialization failure between two transactions: running the transaction again can succeed. */
export function isConflict(error: unknown): boolean {
  return ['40P01', '40001'].includes(codeOf(error) ?? '');
}

/**
 * The name of a prepared statement is unknown, or it is taken, or the statement's result has other columns since a
 * migration. The statement has not run. The first two happen behind a pooler that gives each transaction another
 * connection to the server, such as PgBouncer before 1.21.
 */
function isNameRefused(error: unknown): boolean {
  return ['26000', '42P05', '0A000'].includes(codeOf(error) ?? '');
}

export function codeOf(error: unknown): string | undefined {
  const cause = error instanceof DatabaseError ? error.cause : error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}
