// The engine under test, named by `TEST_ENGINE`: SQLite in the data folder, or one PostgreSQL database for each data
// folder. Also reads and changes the database directly, without the code under test.

import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeTestDatabase, type TestDatabase } from './postgres.ts';
import { askNow, type Row } from './postgres-now.ts';

export type EngineName = 'sqlite' | 'postgres';
type Value = string | number | null;

export const engine: EngineName = readEngine(process.env.TEST_ENGINE || 'sqlite');

const SECRET = 'the secret of every test on PostgreSQL';
const beingMade = new Map<string, Promise<TestDatabase>>();
const databases = new Map<string, TestDatabase>();

function readEngine(name: string): EngineName {
  if (name === 'sqlite' || name === 'postgres') return name;
  throw new Error(`TEST_ENGINE is sqlite or postgres, not ${name}`);
}

/**
 * The settings needed to open a data folder. They are the same on every call. If `mayHaveTables`, an empty folder gets
 * the files of the installation that `npm test` prepares: a migration takes ten times longer.
 */
export async function databaseSettings(
  dataDir: string,
  { mayHaveTables = false } = {},
): Promise<Record<string, string>> {
  if (engine === 'sqlite') {
    if (mayHaveTables) fillFolder(dataDir);
    return {};
  }
  let making = beingMade.get(dataDir);
  if (!making) {
    making = makeTestDatabase({ mayHaveTables });
    beingMade.set(dataDir, making);
  }
  const database = await making;
  databases.set(dataDir, database);
  return { DATABASE_URL: throughPooler(database.url), GASTPASS_SECRET: SECRET };
}

function fillFolder(dataDir: string): void {
  const { TEST_FOLDER_TEMPLATE: template } = process.env;
  if (template && existsSync(dataDir) && readdirSync(dataDir).length === 0)
    cpSync(template, dataDir, { recursive: true });
}

/** `TEST_POOLER_URL` names a pooler in front of the server. Tests themselves query the server directly. */
function throughPooler(url: string): string {
  const { TEST_POOLER_URL: pooler } = process.env;
  if (!pooler) return url;
  const through = new URL(url);
  through.host = new URL(pooler).host;
  return through.href;
}

/** Drops the databases of all data folders in a folder that is being removed. */
export function dropDatabases(folder: string): void {
  for (const [dataDir, { url, server, name }] of databases) {
    if (dataDir !== folder && !dataDir.startsWith(folder + sep)) continue;
    beingMade.delete(dataDir);
    databases.delete(dataDir);
    askNow({ url });
    askNow({ url: server, sql: `drop database if exists ${name} with (force)` });
  }
}

export interface Records {
  /** Values replace the question marks in order. */
  rows(sql: string, ...values: Value[]): Row[];
  change(sql: string, ...values: Value[]): void;
  close(): void;
}

/** A slow disk can keep the service writing for long. */
const LOCK_PATIENCE_MS = 30_000;

export function openRecords(dataDir: string, { readOnly = false } = {}): Records {
  if (engine === 'postgres') return recordsOnServer(dataDir);
  const file = new DatabaseSync(join(dataDir, 'gastpass.sqlite'), { timeout: LOCK_PATIENCE_MS, readOnly });
  return {
    rows: (sql, ...values) => file.prepare(sql).all(...values),
    change: (sql, ...values) => void file.prepare(sql).run(...values),
    close: () => file.close(),
  };
}

/** Runs one query. Works while a service is writing and after a service was killed. */
export function readRecords(dataDir: string, sql: string, ...values: Value[]): Row[] {
  const records = openRecords(dataDir, { readOnly: true });
  try {
    return records.rows(sql, ...values);
  } finally {
    records.close();
  }
}

function recordsOnServer(dataDir: string): Records {
  const rows: Records['rows'] = (sql, ...values) => {
    const url = databases.get(dataDir)?.url;
    if (url === undefined) throw new Error(`${dataDir} has no database yet`);
    let place = 0;
    return askNow({ url, sql: sql.replaceAll('?', () => `$${++place}`), values });
  };
  // The connection stays open for the next query and is closed when the database is dropped.
  return { rows, change: (...words) => void rows(...words), close: () => {} };
}
