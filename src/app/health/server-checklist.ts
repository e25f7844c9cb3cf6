// The checklist of `gastpass doctor --database` on PostgreSQL: what Gastpass needs of a server, whether it is your own, a
// managed service or a distributed database. Each line that is not ok says what to do.

import type { DatabaseSettings } from '../../config/config.ts';
import { adviseOnConnection } from '../../storage/postgres/connection-advice.ts';
import { readPostgresVersion } from '../../storage/postgres/migrate.ts';
import { openPostgres } from '../../storage/postgres/open-postgres.ts';
import {
  openServerChecklist,
  type ServerChecklist,
  type ServerCollation,
  type ServerConnections,
  type ServerSettings,
} from '../../storage/postgres/server-checklist.ts';
import { readServerFacts } from '../../storage/postgres/server-facts.ts';
import { makeTryWrite } from '../../storage/settings/installation-store.ts';
import { makeAttempt } from './attempt.ts';
import { judgeClock } from './clock.ts';
import { judgeServer } from './database.ts';
import { type Finding, fault, ok, reasonOf, warning } from './finding.ts';

const attempt = makeAttempt(60_000);

/** A creation takes four round trips. */
const SLOW_ROUND_TRIP_MS = 20;
/** Connections for a start, a command and the administrator. */
const SPARE_CONNECTIONS = 3;
const NOT_TOLD = 'not told by the server';

export async function examineServer(database: DatabaseSettings): Promise<Finding[]> {
  let list: ServerChecklist;
  try {
    list = await openServerChecklist(database);
  } catch (error) {
    const advice = adviseOnConnection(error) ?? 'check DATABASE_URL, the server, and its pg_hba.conf';
    return [fault('connection', `${reasonOf(error)}: ${advice}`)];
  }
  try {
    return await examineConnected(list, database);
  } finally {
    await list.close();
  }
}

async function examineConnected(list: ServerChecklist, database: DatabaseSettings): Promise<Finding[]> {
  // A server that is not PostgreSQL itself may not tell its settings.
  const settings = await list.settings().catch((): ServerSettings => ({}));
  const findings = [
    judgeConnection(list, database.url),
    ...(await attempt('primary', async () => [judgePrimary(await list.isStandby(), settings)])),
    ...(await attempt('rights and encoding', () => examineRights(list, database))),
    ...(await attempt('collation', async () => judgeCollation(await list.collation()))),
    judgeIsolation(settings),
    ...(await attempt('transactions', async () => [await examineTransactions(list)])),
    ...(await attempt('statement time-out', async () => [await examineTimeout(list)])),
    judgeTimeouts(settings, database),
    ...(await attempt('advisory locks', async () => [await examineLocks(list)])),
    ...judgeDurability(settings),
    ...(await attempt('connections', async () => {
      const connections = await list.connections();
      return [judgeStandbys(connections, settings), judgeRoom(connections, settings, database)];
    })),
  ];
  return [...findings, ...(await examineTables(list, database))];
}

export function judgeConnection(
  { isEncrypted, hasPooler, roundTripMs }: Pick<ServerChecklist, 'isEncrypted' | 'hasPooler' | 'roundTripMs'>,
  url: string,
): Finding {
  const words = [
    isEncrypted ? 'encrypted' : 'not encrypted',
    hasPooler ? 'through a pooler' : 'without a pooler',
    `${roundTripMs.toFixed(1)} ms per round trip`,
  ].join(', ');
  const { hostname, searchParams } = new URL(url);
  const isLocal = /^(localhost|127\..*|\[::1\]|)$/.test(searchParams.get('host') ?? hostname);
  if (!isEncrypted && !isLocal && !searchParams.get('host')?.startsWith('/'))
    return warning('connection', `${words}: add ?sslmode=verify-full to DATABASE_URL`);
  return roundTripMs > SLOW_ROUND_TRIP_MS
    ? warning('connection', `${words}, and a creation takes four: run Gastpass nearer to the server`)
    : ok('connection', words);
}

export function judgePrimary(isStandby: boolean, settings: ServerSettings): Finding {
  if (isStandby)
    return fault('primary', 'this server is a standby: use the address that leads to the primary');
  return settings.transaction_read_only === 'on'
    ? fault(
        'primary',
        'transactions are read-only: set default_transaction_read_only = off for role and database',
      )
    : ok('primary', 'can be written');
}

/** On an empty database, only the right to create tables can be checked. */
async function examineRights(list: ServerChecklist, database: DatabaseSettings): Promise<Finding[]> {
  const { product, role, schema } = await list.place();
  if (schema === null)
    return [
      fault(
        'rights',
        `the role ${role} has no schema: grant usage, create on schema public to ${role}, or set its search_path`,
      ),
    ];
  const facts = await readServerFacts(database);
  const nowMs = Date.now();
  return [
    ...(product.startsWith('PostgreSQL ')
      ? []
      : [warning('product', `${product.split(',')[0]} is not tested: the lines below decide`)]),
    ...judgeServer(facts),
    ...judgeClock(nowMs, [{ of: 'PostgreSQL', aheadMs: facts.nowMs - nowMs, other: { kind: 'postgresql' } }]),
  ];
}

export function judgeCollation(collation: ServerCollation | undefined): Finding[] {
  if (!collation) return [];
  const { name, recorded, actual } = collation;
  return [
    recorded === actual
      ? ok('collation', name)
      : warning(
          'collation',
          `${name} had version ${recorded} when the indexes were built, and has version ${actual} now: run reindex database, then alter database … refresh collation version`,
        ),
  ];
}

export function judgeIsolation({ default_transaction_isolation: level }: ServerSettings): Finding {
  if (level === undefined) return ok('isolation', NOT_TOLD);
  return level === 'read committed'
    ? ok('isolation', level)
    : warning(
        'isolation',
        `the default is ${level}, which makes transactions fail and repeat: alter role … set default_transaction_isolation = 'read committed'`,
      );
}

async function examineTransactions(list: ServerChecklist): Promise<Finding> {
  try {
    await list.tryTransaction();
    return ok('transactions', 'work');
  } catch (error) {
    return fault(
      'transactions',
      `do not work (${reasonOf(error)}): a pooler needs pool_mode = transaction or session, not statement`,
    );
  }
}

async function examineTimeout(list: ServerChecklist): Promise<Finding> {
  return (await list.tryTimeout())
    ? ok('statement time-out', 'the server cuts a statement that takes too long')
    : fault('statement time-out', 'the server ignores set local statement_timeout: use another server');
}

export function judgeTimeouts(settings: ServerSettings, { statementTimeoutMs }: DatabaseSettings): Finding {
  const isShort = (name: 'statement_timeout' | 'lock_timeout', leastMs: number) => {
    const ms = Number(settings[name] ?? 0);
    return ms > 0 && ms < leastMs
      ? [`${name} is ${ms} ms, less than the ${leastMs} ms of DATABASE_STATEMENT_TIMEOUT_MS`]
      : [];
  };
  const issues = [
    ...isShort('statement_timeout', statementTimeoutMs),
    ...isShort('lock_timeout', statementTimeoutMs),
  ];
  const whole = Number(settings.transaction_timeout ?? 0);
  if (whole > 0) issues.push(`transaction_timeout is ${whole} ms, and a migration can take minutes`);
  return issues.length === 0
    ? ok('time-outs of the server', 'none that are too short')
    : warning('time-outs of the server', `${issues.join('; ')}: alter role … set them to 0`);
}

async function examineLocks(list: ServerChecklist): Promise<Finding> {
  try {
    await list.tryAdvisoryLock();
    return ok('advisory locks', 'work');
  } catch (error) {
    return fault(
      'advisory locks',
      `do not work (${reasonOf(error)}), and every start needs one: use a server, or a newer version, that has them`,
    );
  }
}

export function judgeDurability(settings: ServerSettings): Finding[] {
  const { fsync, full_page_writes: pages, synchronous_commit: commit } = settings;
  const findings: Finding[] = [];
  if (fsync === 'off')
    findings.push(
      fault('durability', 'fsync is off, so a power cut can destroy the database: set fsync = on'),
    );
  if (commit === 'off')
    findings.push(
      fault(
        'durability',
        'synchronous_commit is off, so a crash can lose vouchers that callers have received: set synchronous_commit = on',
      ),
    );
  if (pages === 'off')
    findings.push(
      warning(
        'durability',
        'full_page_writes is off: set it on, unless the file system never writes parts of a page (ZFS)',
      ),
    );
  const known = commit === undefined ? NOT_TOLD : `synchronous_commit = ${commit}`;
  return findings.length > 0 ? findings : [ok('durability', known)];
}

export function judgeStandbys({ standbys }: ServerConnections, settings: ServerSettings): Finding {
  const isSynchronous = Boolean(settings.synchronous_standby_names);
  if (isSynchronous && settings.synchronous_commit === 'local')
    return warning(
      'standbys',
      'synchronous_commit = local does not wait for the standby: alter role … set synchronous_commit = on',
    );
  if (isSynchronous) return ok('standbys', 'a commit waits for a standby');
  return standbys > 0
    ? warning(
        'standbys',
        'a commit does not wait for them, so a failover can lose the last vouchers: set synchronous_standby_names, with Patroni synchronous_mode: true',
      )
    : ok('standbys', 'none');
}

export function judgeRoom(
  { used, ofRole, ofDatabase }: ServerConnections,
  settings: ServerSettings,
  { poolSize }: DatabaseSettings,
): Finding {
  const ofServer = Number(settings.max_connections) - Number(settings.superuser_reserved_connections ?? 0);
  const limits = [ofServer, ofRole, ofDatabase].filter((limit) => limit >= 0);
  const room = Math.min(...limits);
  if (limits.length === 0) return ok('connections', NOT_TOLD);
  const words = `room for ${room}, ${used} in use, DATABASE_POOL_SIZE is ${poolSize} for each instance`;
  if (room < poolSize)
    return fault(
      'connections',
      `${words}: raise max_connections or the limit of the role, or lower DATABASE_POOL_SIZE`,
    );
  return room < poolSize + SPARE_CONNECTIONS
    ? warning('connections', `${words}: leave ${SPARE_CONNECTIONS} for starts and commands`)
    : ok('connections', words);
}

/** A database with tables is written and rolled back; in an empty one all tables are created and rolled back. */
async function examineTables(list: ServerChecklist, database: DatabaseSettings): Promise<Finding[]> {
  return attempt('tables', async () => {
    if ((await readPostgresVersion(database)) === 0) {
      await list.tryTables();
      return [ok('tables', 'there are none yet, but all of them can be created')];
    }
    const opened = await openPostgres({ ...database, poolSize: 2 }, { schema: 'expect' });
    try {
      await makeTryWrite(opened)();
      return [ok('tables', 'can be read and written')];
    } finally {
      await opened.close();
    }
  });
}
