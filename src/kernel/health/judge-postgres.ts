// Rules for a PostgreSQL server: what Gastpass needs of any server, such as your own, a managed service or a
// distributed database. `doctor` looks at version, encoding and rights, `doctor --database` at everything.

import type {
  ServerCollation,
  ServerConnection,
  ServerConnections,
  ServerSettings,
} from '../../platform/database/postgres/server-checklist.ts';
import type { ServerFacts } from '../../platform/database/postgres/server-facts.ts';
import { type ComparedClock, judgeClock } from '../clock-check/judge-clock.ts';
import { type AnyFinding, type Finding, fault, passed, type TerminalFinding, warning } from './finding.ts';

const MIN_VERSION = 14;
/** A slower round trip is reported, because creating a voucher takes four round trips. */
const SLOW_ROUND_TRIP_MS = 20;
/** Connections that must stay free for a starting service, a command and the administrator. */
const SPARE_CONNECTIONS = 3;

export function judgeServer(facts: ServerFacts): Finding[] {
  const { version, major, encoding, role, schema, forbidden, mayMigrate, closedOwner } = facts;
  const findings: Finding[] = [];
  if (major < MIN_VERSION) findings.push(fault({ kind: 'postgresql-old', version, minVersion: MIN_VERSION }));
  if (encoding !== 'UTF8') findings.push(fault({ kind: 'postgresql-encoding', encoding }));
  if (forbidden.length > 0)
    findings.push(fault({ kind: 'postgresql-rights', role, schema, tables: forbidden }));
  if (closedOwner !== null)
    findings.push(warning({ kind: 'postgresql-later-rights', role, schema, owner: closedOwner }));
  if (findings.length > 0) return findings;
  return [passed({ kind: mayMigrate ? 'postgresql-ok' : 'postgresql-owner', version, role })];
}

/** `readAtMs`: when the facts were read, by this machine's clock. */
export function clockOfServer({ nowMs }: ServerFacts, readAtMs: number): ComparedClock {
  return { aheadMs: nowMs - readAtMs };
}

export function judgeConnection(connection: ServerConnection, url: string): TerminalFinding {
  const { hostname, searchParams } = new URL(url);
  const isLocal = /^(localhost|127\..*|\[::1\]|)$/.test(searchParams.get('host') ?? hostname);
  if (!connection.isEncrypted && !isLocal && !searchParams.get('host')?.startsWith('/'))
    return warning({ kind: 'connection-plain', ...connection });
  return connection.roundTripMs > SLOW_ROUND_TRIP_MS
    ? warning({ kind: 'connection-slow', ...connection })
    : passed({ kind: 'connection-ok', ...connection });
}

export function judgePrimary(isStandby: boolean, settings: ServerSettings): TerminalFinding {
  if (isStandby) return fault({ kind: 'primary-standby' });
  return settings.transaction_read_only === 'on'
    ? fault({ kind: 'primary-read-only' })
    : passed({ kind: 'primary-ok' });
}

/** `facts`: undefined if the role has no schema, because then they cannot be read. */
export function judgePlace(
  { product, role, facts }: { product: string; role: string; facts: ServerFacts | undefined },
  nowMs: number,
): AnyFinding[] {
  if (!facts) return [fault({ kind: 'schema-missing', role })];
  const [name = ''] = product.split(',');
  return [
    ...(product.startsWith('PostgreSQL ') ? [] : [warning({ kind: 'product-untested', product: name })]),
    ...judgeServer(facts),
    ...judgeClock(nowMs, [clockOfServer(facts, nowMs)]),
  ];
}

export function judgeCollation(collation: ServerCollation | undefined): TerminalFinding[] {
  if (!collation) return [];
  const { name, recorded, actual } = collation;
  return [
    recorded === actual
      ? passed({ kind: 'collation-ok', name })
      : warning({ kind: 'collation-changed', name, recorded, actual }),
  ];
}

export function judgeIsolation({ default_transaction_isolation: level }: ServerSettings): TerminalFinding {
  return level === undefined || level === 'read committed'
    ? passed({ kind: 'isolation-ok', level })
    : warning({ kind: 'isolation-other', level });
}

/** `error`: undefined if statements of one transaction reached the same connection of the server. */
export function judgeTransaction(error: string | undefined): TerminalFinding {
  return error === undefined
    ? passed({ kind: 'transactions-ok' })
    : fault({ kind: 'transactions-failed', detail: error });
}

/** `error`: undefined if the server gave a lock. */
export function judgeLock(error: string | undefined): TerminalFinding {
  return error === undefined ? passed({ kind: 'locks-ok' }) : fault({ kind: 'locks-failed', detail: error });
}

export function judgeStatementTimeout(isCanceled: boolean): TerminalFinding {
  return isCanceled ? passed({ kind: 'statement-timeout-ok' }) : fault({ kind: 'statement-timeout-ignored' });
}

/** `leastMs`: the longest time limit that the service sets for a statement. The server's limits must not be shorter. */
export function judgeTimeouts(settings: ServerSettings, leastMs: number): TerminalFinding {
  const short = (['statement_timeout', 'lock_timeout'] as const)
    .map((name) => ({ name, ms: Number(settings[name] ?? 0) }))
    .filter(({ ms }) => ms > 0 && ms < leastMs);
  const transactionMs = Number(settings.transaction_timeout ?? 0);
  return short.length === 0 && transactionMs === 0
    ? passed({ kind: 'timeouts-ok' })
    : warning({ kind: 'timeouts-short', short, leastMs, transactionMs });
}

export function judgeDurability(settings: ServerSettings): TerminalFinding[] {
  const { fsync, full_page_writes: pages, synchronous_commit: synchronousCommit } = settings;
  const findings: TerminalFinding[] = [];
  if (fsync === 'off') findings.push(fault({ kind: 'fsync-off' }));
  if (synchronousCommit === 'off') findings.push(fault({ kind: 'commit-off' }));
  if (pages === 'off') findings.push(warning({ kind: 'page-writes-off' }));
  return findings.length > 0 ? findings : [passed({ kind: 'durability-ok', synchronousCommit })];
}

export function judgeStandbys({ standbys }: ServerConnections, settings: ServerSettings): TerminalFinding {
  const isSynchronous = Boolean(settings.synchronous_standby_names);
  if (isSynchronous && settings.synchronous_commit === 'local') return warning({ kind: 'standbys-skipped' });
  if (isSynchronous) return passed({ kind: 'standbys-awaited' });
  return standbys > 0 ? warning({ kind: 'standbys-not-awaited' }) : passed({ kind: 'standbys-none' });
}

export function judgeRoom(
  { used, ofRole, ofDatabase }: ServerConnections,
  settings: ServerSettings,
  poolSize: number,
): TerminalFinding {
  const ofServer = Number(settings.max_connections) - Number(settings.superuser_reserved_connections ?? 0);
  const limits = [ofServer, ofRole, ofDatabase].filter((limit) => limit >= 0);
  if (limits.length === 0) return passed({ kind: 'room-untold' });
  const facts = { room: Math.min(...limits), used, poolSize, spare: SPARE_CONNECTIONS };
  if (facts.room < poolSize) return fault({ kind: 'room-missing', ...facts });
  return facts.room < poolSize + SPARE_CONNECTIONS
    ? warning({ kind: 'room-tight', ...facts })
    : passed({ kind: 'room-ok', ...facts });
}
