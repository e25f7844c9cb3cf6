// Makes a backup while services keep running. The file contains all rows as they were at one moment, and can be
// restored on either engine.

import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import type { Handle } from '../database/database.ts';
import { selectSetting } from '../database/installation-queries.ts';
import type { OnProgress } from '../database/move/move-to-postgres.ts';
import { openStorage, type StorageLocation } from '../database/open-storage.ts';
import { keptTables, type TableDeclarations } from '../database/tables/table-declarations.ts';
import { chunksOf, countRowsOf } from '../database/tables/table-rows.ts';
import { refuseUnknownRows } from '../database/tables/unknown-tables.ts';
import { fitsCheck, WrongSecret } from '../secrets/secret-check.ts';
import { readSecrets } from '../secrets/secret-file.ts';
import { systemClock } from '../time/clock.ts';
import { FORMAT_VERSION, type Header, makeLines } from './format.ts';
import { type Snapshot, withSnapshot } from './snapshot.ts';
import { wrapSecret } from './wrapped-secret.ts';
import { writeFileWhole } from './write-file.ts';

/** Rows per page. SQLite reads a page on the thread that serves requests, so a page must be small. */
const CHUNK_ROWS = 250;

export interface BackupInput {
  declared: TableDeclarations;
  /** If undefined, the backup does not contain the installation's secret. */
  passphrase: string | undefined;
  /** The version of Gastpass. */
  release: string;
  nowMs: number;
  onProgress?: OnProgress;
  signal?: AbortSignal;
  /** The pause after each page, so that a running service can serve requests in between. */
  pauseMs?: number;
}

export interface MadeBackup {
  rows: number;
  bytes: number;
}

/**
 * For the command line: checks the database and its secret first, as the service does when it starts.
 * @param target a file that does not exist yet, or a stream
 */
export async function backUpInstallation(
  place: StorageLocation,
  target: string | Writable,
  input: BackupInput,
): Promise<Partial<MadeBackup>> {
  const { database } = await openStorage(place, systemClock, 'expect');
  await database.close();
  return typeof target === 'string'
    ? backUpToFile(place, target, input)
    : { rows: await backUp(place, target, input) };
}

/** The file must not exist. If the backup fails or is aborted, no file is left behind. */
export async function backUpToFile(
  place: StorageLocation,
  file: string,
  input: BackupInput,
): Promise<MadeBackup> {
  let rows = 0;
  const bytes = await writeFileWhole(file, async (stream) => {
    rows = await backUp(place, stream, input);
  });
  return { rows, bytes };
}

/** Returns the number of rows in the backup. */
export function backUp(place: StorageLocation, stream: Writable, input: BackupInput): Promise<number> {
  return withSnapshot(place, async (snapshot) => {
    const { handle, engine } = snapshot;
    await refuseUnknownRows(handle, { isServer: engine === 'PostgreSQL', tables: input.declared });
    const tables = await countTables(handle, input.declared);
    const secret = await secretFor(place, handle, input.passphrase);
    const content = linesOf(snapshot, { tables, ...secret }, input);
    const { signal } = input;
    await pipeline(Readable.from(content), createGzip(), stream, { ...(signal && { signal }) });
    return Object.values(tables).reduce((sum, count) => sum + count, 0);
  });
}

async function countTables(handle: Handle, declared: TableDeclarations): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [table] of keptTables(declared)) counts[table] = await countRowsOf(handle, table);
  return counts;
}

/** While a rekey is under way there are two secrets. The backup gets the one that fits the database's check value. */
async function secretFor(
  { dataDir, secret, previousSecret }: StorageLocation,
  handle: Handle,
  passphrase?: string,
) {
  if (passphrase === undefined) return { wrapped: null };
  const check = await selectSetting(handle, 'secret_check');
  const known = secret === undefined ? readSecrets(dataDir) : [secret, previousSecret ?? secret];
  const fitting = known.find((candidate) => check !== undefined && fitsCheck(candidate, check));
  if (fitting === undefined) throw new WrongSecret();
  return wrapSecret(fitting, passphrase, FORMAT_VERSION);
}

async function* linesOf(
  { handle, engine, schemaVersion, ids }: Snapshot,
  { tables, wrapped, lineKey }: Pick<Header, 'tables'> & { wrapped: Header['secret']; lineKey?: Buffer },
  { declared, release, nowMs, pauseMs = 0, onProgress = () => {} }: BackupInput,
): AsyncGenerator<string> {
  const lines = makeLines(lineKey);
  yield lines.header({ release, schemaVersion, engine, madeAtMs: nowMs, secret: wrapped, tables, ids });
  for (const [table, { key }] of keptTables(declared)) {
    const total = tables[table] ?? 0;
    let columns: string[] | undefined;
    let done = 0;
    if (total > 0) onProgress(table, 0, total);
    for await (const rows of chunksOf(handle, table, key, CHUNK_ROWS)) {
      if (!columns) {
        columns = Object.keys(rows[0] ?? {});
        yield lines.table(table, columns);
      }
      yield lines.rows(columns, rows);
      done += rows.length;
      onProgress(table, done, total);
      await (pauseMs > 0 ? sleep(pauseMs) : new Promise(setImmediate));
    }
  }
  yield lines.end();
}
