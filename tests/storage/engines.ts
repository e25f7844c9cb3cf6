// The engines on which every query is tested, and a function that runs a suite once for each. To add an engine, add an
// entry to the table.

import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import type { Database } from '../../src/platform/database/database.ts';
import { openPostgres } from '../../src/platform/database/postgres/open-postgres.ts';
import { openSqlite } from '../../src/platform/database/sqlite/open-sqlite.ts';
import { makeTestDatabase } from '../support/postgres.ts';
import { makeFolder } from '../support/run-gastpass.ts';

export interface OpenedDatabase {
  database: Database;
  /** Closes the database and deletes its data. */
  discard(): Promise<void>;
}

export interface Engine {
  name: string;
  open(): Promise<OpenedDatabase>;
}

export const postgres: Engine = { name: 'PostgreSQL', open: openFreshPostgres };
export const engines: Engine[] = [{ name: 'SQLite', open: openSqliteInFolder }, postgres];

async function openSqliteInFolder(): Promise<OpenedDatabase> {
  const { folder, remove } = makeFolder();
  const database = openSqlite(join(folder, 'gastpass.sqlite'));
  return {
    database,
    async discard() {
      await database.close();
      remove();
    },
  };
}

async function openFreshPostgres(): Promise<OpenedDatabase> {
  const made = await makeTestDatabase({ mayHaveTables: true });
  const database = await openPostgres({ url: made.url, poolSize: 10, statementTimeoutMs: 10_000 });
  return {
    database,
    async discard() {
      await database.close();
      await made.drop();
    },
  };
}

/** Opens one new, migrated database per engine, which the tests of the suite share. */
export function onEveryEngine(subject: string, tests: (database: () => Database) => void): void {
  for (const engine of engines) onEngine(engine, subject, tests);
}

/** For queries that only one engine runs. */
export function onEngine(engine: Engine, subject: string, tests: (database: () => Database) => void): void {
  describe(`${subject} on ${engine.name}`, () => {
    let opened: OpenedDatabase | undefined;
    before(async () => {
      opened = await engine.open();
    });
    after(() => opened?.discard());
    tests(() => {
      if (!opened) throw new Error('the database is opened before the first test, not earlier');
      return opened.database;
    });
  });
}
