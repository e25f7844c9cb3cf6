// The checklist of `gastpass doctor --database` on PostgreSQL: what Gastpass needs of a server, whether it is your own, a
// managed service or a distributed database.

import type { DatabaseSettings } from '../../config/config.ts';
import { reasonOf } from '../../domain/database-error.ts';
import type { Finding } from '../../domain/health/finding.ts';
import type { AnyFinding, TerminalFact } from '../../domain/health/terminal-fact.ts';
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
import { explainError } from './explain-error.ts';
import { fault, ok, warning } from './finding.ts';

const attempt = makeAttempt(60_000);

/** A creation takes four round trips. */
const SLOW_ROUND_TRIP_MS = 20;
/** Connections for a start, a command and the administrator. */
const SPARE_CONNECTIONS = 3;

type ServerFinding = Finding<TerminalFact>;

export async function examineServer(database: DatabaseSettings): Promise<AnyFinding[]> {
  let list: ServerChecklist;
  try {
    list = await openServerChecklist(database);
  } catch (error) {
    const isExplained = adviseOnConnection(error) !== undefined;
    return [fault({ kind: 'connection-failed', detail: explainError(error), isExplained })];
  }
  try {
    return await examineConnected(list, database);
  } finally {
    await list.close();
  }
}

async function examineConnected(list: ServerChecklist, database: DatabaseSettings): Promise<AnyFinding[]> {
  // A server that is not PostgreSQL itself may not tell its settings.
  const settings = await list.settings().catch((): ServerSettings => ({}));
  const findings: AnyFinding[] = [
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
): ServerFinding {
  const facts = { isEncrypted, hasPooler, roundTripMs };
  const { hostname, searchParams } = new URL(url);
  const isLocal = /^(localhost|127\..*|\[::1\]|)$/.test(searchParams.get('host') ?? hostname);
  if (!isEncrypted && !isLocal && !searchParams.get('host')?.startsWith('/'))
    return warning({ kind: 'connection-plain', ...facts });
  return roundTripMs > SLOW_ROUND_TRIP_MS
    ? warning({ kind: 'connection-slow', ...facts })
    : ok({ kind: 'connection-ok', ...facts });
}

export function judgePrimary(isStandby: boolean, settings: ServerSettings): ServerFinding {
  if (isStandby) return fault({ kind: 'primary-standby' });
  return settings.transaction_read_only === 'on'
    ? fault({ kind: 'primary-read-only' })
    : ok({ kind: 'primary-ok' });
}

/** On an empty database, only the right to create tables can be checked. */
async function examineRights(list: ServerChecklist, database: DatabaseSettings): Promise<AnyFinding[]> {
  const { product, role, schema } = await list.place();
  if (schema === null) return [fault({ kind: 'schema-missing', role })];
  const facts = await readServerFacts(database);
  const nowMs = Date.now();
  const [name = ''] = product.split(',');
  return [
    ...(product.startsWith('PostgreSQL ') ? [] : [warning({ kind: 'product-untested', product: name })]),
    ...judgeServer(facts),
    ...judgeClock(nowMs, [{ of: { kind: 'postgresql' }, aheadMs: facts.nowMs - nowMs }]),
  ];
}

export function judgeCollation(collation: ServerCollation | undefined): ServerFinding[] {
  if (!collation) return [];
  const { name, recorded, actual } = collation;
  return [
    recorded === actual
      ? ok({ kind: 'collation-ok', name })
      : warning({ kind: 'collation-changed', name, recorded, actual }),
  ];
}

export function judgeIsolation({ default_transaction_isolation: level }: ServerSettings): ServerFinding {
  return level === undefined || level === 'read committed'
    ? ok({ kind: 'isolation-ok', level })
    : warning({ kind: 'isolation-other', level });
}

async function examineTransactions(list: ServerChecklist): Promise<ServerFinding> {
  try {
    await list.tryTransaction();
    return ok({ kind: 'transactions-ok' });
  } catch (error) {
    return fault({ kind: 'transactions-failed', detail: reasonOf(error) });
  }
}

async function examineTimeout(list: ServerChecklist): Promise<ServerFinding> {
  return (await list.tryTimeout())
    ? ok({ kind: 'statement-timeout-ok' })
    : fault({ kind: 'statement-timeout-ignored' });
}

export function judgeTimeouts(
  settings: ServerSettings,
  { statementTimeoutMs: leastMs }: DatabaseSettings,
): ServerFinding {
  const short = (['statement_timeout', 'lock_timeout'] as const)
    .map((name) => ({ name, ms: Number(settings[name] ?? 0) }))
    .filter(({ ms }) => ms > 0 && ms < leastMs);
  const transactionMs = Number(settings.transaction_timeout ?? 0);
  return short.length === 0 && transactionMs === 0
    ? ok({ kind: 'timeouts-ok' })
    : warning({ kind: 'timeouts-short', short, leastMs, transactionMs });
}

async function examineLocks(list: ServerChecklist): Promise<ServerFinding> {
  try {
    await list.tryAdvisoryLock();
    return ok({ kind: 'locks-ok' });
  } catch (error) {
    return fault({ kind: 'locks-failed', detail: reasonOf(error) });
  }
}

export function judgeDurability(settings: ServerSettings): ServerFinding[] {
  const { fsync, full_page_writes: pages, synchronous_commit: synchronousCommit } = settings;
  const findings: ServerFinding[] = [];
  if (fsync === 'off') findings.push(fault({ kind: 'fsync-off' }));
  if (synchronousCommit === 'off') findings.push(fault({ kind: 'commit-off' }));
  if (pages === 'off') findings.push(warning({ kind: 'page-writes-off' }));
  return findings.length > 0 ? findings : [ok({ kind: 'durability-ok', synchronousCommit })];
}

export function judgeStandbys({ standbys }: ServerConnections, settings: ServerSettings): ServerFinding {
  const isSynchronous = Boolean(settings.synchronous_standby_names);
  if (isSynchronous && settings.synchronous_commit === 'local') return warning({ kind: 'standbys-skipped' });
  if (isSynchronous) return ok({ kind: 'standbys-awaited' });
  return standbys > 0 ? warning({ kind: 'standbys-not-awaited' }) : ok({ kind: 'standbys-none' });
}

export function judgeRoom(
  { used, ofRole, ofDatabase }: ServerConnections,
  settings: ServerSettings,
  { poolSize }: DatabaseSettings,
): ServerFinding {
  const ofServer = Number(settings.max_connections) - Number(settings.superuser_reserved_connections ?? 0);
  const limits = [ofServer, ofRole, ofDatabase].filter((limit) => limit >= 0);
  if (limits.length === 0) return ok({ kind: 'room-untold' });
  const facts = { room: Math.min(...limits), used, poolSize, spare: SPARE_CONNECTIONS };
  if (facts.room < poolSize) return fault({ kind: 'room-missing', ...facts });
  return facts.room < poolSize + SPARE_CONNECTIONS
    ? warning({ kind: 'room-tight', ...facts })
    : ok({ kind: 'room-ok', ...facts });
}

/** A database with tables is written and rolled back; in an empty one all tables are created and rolled back. */
async function examineTables(list: ServerChecklist, database: DatabaseSettings): Promise<AnyFinding[]> {
  return attempt<TerminalFact>('tables', async () => {
    if ((await readPostgresVersion(database)) === 0) {
      await list.tryTables();
      return [ok({ kind: 'tables-creatable' })];
    }
    const opened = await openPostgres({ ...database, poolSize: 2 }, { schema: 'expect' });
    try {
      await makeTryWrite(opened)();
      return [ok({ kind: 'tables-ok' })];
    } finally {
      await opened.close();
    }
  });
}
