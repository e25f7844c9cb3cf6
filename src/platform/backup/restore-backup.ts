// Restores a backup into an empty installation, on either engine. The whole backup is checked before anything is
// written, and everything is written in one transaction.

import { resolve } from 'node:path';
import { type CompiledQuery, sql } from 'kysely';
import { makeDataFolder } from '../database/data-folder.ts';
import type { Handle } from '../database/database.ts';
import { migrations } from '../database/migrations/index.ts';
import type { OnProgress } from '../database/move/move-to-postgres.ts';
import { findMigrations, type StorageLocation } from '../database/open-storage.ts';
import { UnfinishedRestore } from '../database/schema-version.ts';
import { lockForService } from '../database/service-lock.ts';
import { keptTables, type TableDeclarations } from '../database/tables/table-declarations.ts';
import {
  addToSum,
  compareWithCopied,
  insertRows,
  type Row,
  type Sum,
  toStorableRows,
} from '../database/tables/table-rows.ts';
import { storeSecret } from '../secrets/secret-file.ts';
import { WrongConfiguration } from '../values/wrong-configuration.ts';
import { SCHEDULED_BACKUPS } from './backup-records.ts';
import type { Header } from './format.ts';
import { NoBackup, type ReadBackup, readBackup } from './read-backup.ts';
import { findMissingSecret } from './restore-secret.ts';
import { fillTarget, type RestoreTarget } from './restore-target.ts';

/** Well below 32,766, the number of parameters that SQLite allows in a statement. */
const MAX_PARAMETERS = 10_000;

/** The tables that can be restored: also two from backups of earlier releases, which a migration has replaced since. */
function restoredTables(declared: TableDeclarations): Map<string, readonly string[]> {
  return new Map([
    ...keptTables(declared).map(([table, { key }]) => [table, key] as const),
    ['deliveries', ['id']],
    ['delivery_tries', ['id']],
  ]);
}

export interface RestoredBackup {
  header: Header;
  rows: number;
  /** Whether the passphrase proves that nobody has changed the backup. */
  isAuthentic: boolean;
  /** Whether the secret was in the backup and is now in the data folder. */
  hasWrittenSecret: boolean;
  /** The number of texts in which � replaces a character that cannot be stored. */
  replaced: number;
}

interface RestoreInput {
  declared: TableDeclarations;
  file: string;
  passphrase: string | undefined;
  onProgress: OnProgress;
  /** Called in the transaction, when everything is restored. */
  onRestored?: ((handle: Handle) => Promise<void>) | undefined;
}

export async function restoreBackup(place: StorageLocation, input: RestoreInput): Promise<RestoredBackup> {
  const { dataDir } = place;
  const refuseUsed = () => refuse(place);
  if (await isUsed(place)) refuseUsed();
  const { backup, check } = await checkFirst(input);
  const { header, isAuthentic, secret: unwrapped } = backup;
  const toWrite = findMissingSecret(place, { header, check, unwrapped });

  makeDataFolder(dataDir);
  using _lock = place.database ? undefined : lockForService(dataDir);
  let takeBack = () => {};
  let replaced = 0;
  try {
    await fillTarget(place, {
      file: resolve(input.file),
      refuseUsed,
      async job(target) {
        // Write the secret before the data, because a database without its secret would be useless.
        if (toWrite !== undefined) takeBack = storeSecret(dataDir, toWrite);
        replaced = await fill(target, backup, input);
        await input.onRestored?.(target.handle);
      },
    });
  } catch (error) {
    takeBack();
    throw error;
  }
  const rows = Object.values(header.tables).reduce((sum, count) => sum + count, 0);
  return { header, rows, isAuthentic, hasWrittenSecret: toWrite !== undefined, replaced };
}

async function isUsed(place: StorageLocation): Promise<boolean> {
  try {
    return (await findMigrations(place)).found > 0;
  } catch (error) {
    if (error instanceof UnfinishedRestore) return false;
    throw error;
  }
}

function refuse({ database, dataDir }: StorageLocation): never {
  throw new WrongConfiguration(
    database
      ? 'the database at DATABASE_URL holds an installation already: create an empty database and name that one'
      : `there is an installation in ${dataDir} already: stop the service and move the files gastpass.sqlite* and secret away, or set DATA_DIR to an empty folder`,
  );
}

/** Checks the whole backup. Also returns its check value, which shows which secret the backup needs. */
async function checkFirst({
  file,
  passphrase,
  declared,
}: RestoreInput): Promise<{ backup: ReadBackup; check: string | undefined }> {
  let check: string | undefined;
  const backup = await readBackup(file, {
    passphrase,
    header: ({ schemaVersion, release, tables, secret }) => {
      // Without this check, an attacker could remove secret and HMAC from a backup, and then change it unnoticed.
      if (passphrase !== undefined && secret === null)
        throw new NoBackup(
          `${file} was made without a passphrase, so the passphrase cannot prove that it is unchanged: if you trust the file, leave out --passphrase-file and BACKUP_PASSPHRASE`,
        );
      if (schemaVersion > migrations.length)
        throw new NoBackup(
          `${file} was made by the newer release ${release} (schema version ${schemaVersion}, this release knows ${migrations.length}): restore it with that release or a newer one`,
        );
      const restored = restoredTables(declared);
      const unknown = Object.keys(tables).find((table) => tables[table] !== 0 && !restored.has(table));
      if (unknown !== undefined) throw new NoBackup(`${file} contains the unknown table "${unknown}"`);
    },
    rows: (table, rows) => {
      if (table === 'settings')
        check ??= rows
          .map(({ name, value }) => (name === 'secret_check' ? String(value) : undefined))
          .find(Boolean);
    },
  });
  return { backup, check };
}

/**
 * A backup of an older release is restored into the schema of that release, and then migrated. Returns the number of
 * texts that had to be changed, because they could not be stored as they were.
 */
async function fill(
  target: RestoreTarget,
  checked: ReadBackup,
  { file, declared, onProgress }: RestoreInput,
): Promise<number> {
  const { handle } = target;
  const { tables, schemaVersion, ids } = checked.header;
  const sums = new Map<string, Sum>();
  const insert = makeInsert(handle);
  let replaced = 0;
  await target.migrateTo(schemaVersion);
  const read = await readBackup(file, {
    async rows(table, read) {
      const { rows, ...storable } = toStorableRows(read);
      replaced += storable.replaced;
      await insert(table, rows);
      const sum = addToSum(sums.get(table) ?? { rows: 0, checksum: 0 }, rows);
      sums.set(table, sum);
      onProgress(table, sum.rows, tables[table] ?? 0);
    },
  });
  if (read.sha256 !== checked.sha256) throw new Error(`${file} was changed while it was being restored`);
  const keys = restoredTables(declared);
  for (const [table, copied] of sums)
    await compareWithCopied(handle, { table, key: keys.get(table) ?? [], copied });
  // The backup files belong to the installation that made them. A restored copy must not delete these files, so their
  // records are removed from it.
  await handle.deleteFrom('settings').where('name', '=', SCHEDULED_BACKUPS).execute();
  await target.continueIds(ids);
  await target.migrateTo(migrations.length);
  return replaced;
}

/** Inserts rows. Statements for the same table and the same number of rows are compiled once. */
function makeInsert(handle: Handle) {
  const compiled = new Map<string, CompiledQuery>();
  return async (table: string, rows: Row[]): Promise<void> => {
    const columns = Object.keys(rows[0] ?? {});
    const atOnce = Math.max(1, Math.floor(MAX_PARAMETERS / columns.length));
    for (let start = 0; start < rows.length; start += atOnce) {
      const slice = rows.slice(start, start + atOnce);
      const name = `${table} ${slice.length}`;
      const query = compiled.get(name) ?? sql`${insertRows(table, slice)}`.compile(handle);
      compiled.set(name, query);
      const parameters = slice.flatMap((row) => columns.map((column) => row[column]));
      await handle.executeQuery({ ...query, parameters });
    }
  };
}
