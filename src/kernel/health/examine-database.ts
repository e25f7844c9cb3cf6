// Examines the database in detail for `gastpass doctor --database`. Needs no secret and, on PostgreSQL, no tables.

import type { Config, DatabaseSettings } from '../../platform/config/config.ts';
import { expectFile } from '../../platform/database/open-storage.ts';
import { adviseOnConnection } from '../../platform/database/postgres/connection-advice.ts';
import { readPostgresVersion } from '../../platform/database/postgres/migrate.ts';
import { openPostgres } from '../../platform/database/postgres/open-postgres.ts';
import type { ServerSettings } from '../../platform/database/postgres/server-checklist.ts';
import {
  openServerChecklist,
  type ServerChecklist,
} from '../../platform/database/postgres/server-checklist.ts';
import { readServerFacts } from '../../platform/database/postgres/server-facts.ts';
import { readFileFacts } from '../../platform/database/sqlite/file-facts.ts';
import { errorReason } from '../../platform/values/database-error.ts';
import { makeTryWrite } from '../settings/installation-store.ts';
import { attemptForTerminal as attempt } from './attempt.ts';
import { explainError } from './explain-error.ts';
import { type AnyFinding, fault, passed } from './finding.ts';
import { judgeFiles } from './judge-data-folder.ts';
import { judgeDatabaseFile } from './judge-database.ts';
import {
  judgeCollation,
  judgeConnection,
  judgeDurability,
  judgeIsolation,
  judgeLock,
  judgePlace,
  judgePrimary,
  judgeRoom,
  judgeStandbys,
  judgeStatementTimeout,
  judgeTimeouts,
  judgeTransaction,
} from './judge-postgres.ts';
import { judged } from './observed.ts';
import { checkPages, examineDisk, examineFolder, readSecretFiles } from './read-data-folder.ts';

export async function examineDatabase(config: Config): Promise<AnyFinding[]> {
  return config.database ? examineServer(config.database) : examineFile(config);
}

async function examineFile(config: Config): Promise<AnyFinding[]> {
  const { dataDir } = config;
  const folder = examineFolder(config);
  if (folder.state === 'fault') return [folder];
  const disk = examineDisk(config);
  try {
    expectFile(dataDir);
  } catch (error) {
    return [folder, disk, fault({ kind: 'not-opened', what: 'database', detail: errorReason(error) })];
  }
  const checked = checkPages(config);
  const first = [folder, disk, ...judgeFiles(readSecretFiles(config))];
  if ('fault' in checked) return [...first, checked.fault];
  const facts = await attempt('file', async () => readFileFacts(dataDir));
  return [
    ...first,
    passed({ kind: 'file-ok', pages: checked.pages }),
    ...judged(facts, (value) => judgeDatabaseFile(value, dataDir)),
  ];
}

async function examineServer(database: DatabaseSettings): Promise<AnyFinding[]> {
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
  // A server that is only compatible with PostgreSQL might be unable to show its settings.
  const settings = await list.settings().catch((): ServerSettings => ({}));
  const isStandby = await attempt('primary', list.isStandby);
  const place = await attempt('rights and encoding', () => readPlace(list, database));
  const collation = await attempt('collation', list.collation);
  const transaction = await attempt('transactions', () => errorOf(list.tryTransaction()));
  const timeout = await attempt('statement time-out', list.tryTimeout);
  const lock = await attempt('advisory locks', () => errorOf(list.tryAdvisoryLock()));
  const connections = await attempt('connections', list.connections);
  const tables = await attempt('tables', () => tryTables(list, database));
  return [
    judgeConnection(list.connection, database.url),
    ...judged(isStandby, (value) => judgePrimary(value, settings)),
    ...judged(place, judgePlace),
    ...judged(collation, judgeCollation),
    judgeIsolation(settings),
    ...judged(transaction, judgeTransaction),
    ...judged(timeout, judgeStatementTimeout),
    judgeTimeouts(settings, database.statementTimeoutMs),
    ...judged(lock, judgeLock),
    ...judgeDurability(settings),
    ...judged(connections, (value) => [
      judgeStandbys(value, settings),
      judgeRoom(value, settings, database.poolSize),
    ]),
    ...judged(tables, (kind) => passed({ kind })),
  ];
}

/** The server facts can only be read if there is a schema. */
async function readPlace(list: ServerChecklist, database: DatabaseSettings) {
  const { product, role, schema } = await list.place();
  return { product, role, facts: schema === null ? undefined : await readServerFacts(database) };
}

const errorOf = (tried: Promise<void>) => tried.then(() => undefined, errorReason);

/** If the database has tables, tries a write; otherwise tries to create all tables. Both are rolled back. */
async function tryTables(
  list: ServerChecklist,
  database: DatabaseSettings,
): Promise<'tables-ok' | 'tables-creatable'> {
  if ((await readPostgresVersion(database)) === 0) {
    await list.tryTables();
    return 'tables-creatable';
  }
  const opened = await openPostgres({ ...database, poolSize: 2 }, { schema: 'expect' });
  try {
    await makeTryWrite(opened)();
    return 'tables-ok';
  } finally {
    await opened.close();
  }
}
