// Opens the storage of an installation: its database, in the data folder or on a PostgreSQL server, and the seal with
// the installation's secret. Called by the service and by every command that needs the data.

import { existsSync, statSync } from 'node:fs';
import { finishInterruptedRekey } from '../rekey/finish-rename.ts';
import { makeSeal, type Seal } from '../secrets/seal.ts';
import { checkSecret, WeakSecret, WrongSecret } from '../secrets/secret-check.ts';
import { readOrMakeSecret, readSecrets } from '../secrets/secret-file.ts';
import { isWeakSecret } from '../secrets/weak-secret.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import { WrongConfiguration } from '../values/wrong-configuration.ts';
import { makeDataFolder } from './data-folder.ts';
import type { Database } from './database.ts';
import { migrations } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';
import type { PostgresOptions } from './postgres/connection.ts';
import {
  type Migrated,
  NoInstallation,
  refuseNewerSchema,
  type SchemaRule,
  UnfinishedRestore,
} from './schema-version.ts';
import { lockForService } from './service-lock.ts';
import { sqliteFileIn } from './sqlite/connection.ts';
import { estimateMigration, openSqlite, readSqliteVersion } from './sqlite/open-sqlite.ts';

/** Disposing closes the database. */
export interface Storage extends AsyncDisposable {
  database: Database;
  seal: Seal;
  /** Undefined if the schema was up to date. */
  migrated?: Migrated | undefined;
}

export interface StorageLocation {
  dataDir: string;
  database?: PostgresOptions | undefined;
  /** If undefined, the secret is read from the file in the data folder. */
  secret: string | undefined;
  /** The secret before `secret`, while a rekey is under way. */
  previousSecret?: string | undefined;
}

export async function openStorage(
  place: StorageLocation,
  clock: Clock = systemClock,
  schema: SchemaRule = 'migrate',
  onCheckpointError?: How['onCheckpointError'],
): Promise<Storage> {
  const { dataDir, database: postgres, secret, previousSecret } = place;
  if (schema === 'migrate') {
    // Refuse a weak secret before a database is created. The user can then remove the setting to get a secret file.
    // Such a file is never created next to an existing database.
    if (secret !== undefined && isWeakSecret(secret) && (await readVersion(place)) === 0)
      throw new WeakSecret();
    makeDataFolder(dataDir);
  }
  const how = { clock, schema, onCheckpointError };
  const { database, seal } = postgres ? await openServer(postgres, place, how) : openFile(place, how);
  try {
    await checkSecret(database, seal, {
      secret,
      hasPrevious: previousSecret !== undefined,
      mayStore: schema === 'migrate',
    });
    if (schema === 'migrate' && !postgres && secret === undefined)
      await finishInterruptedRekey(dataDir, database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return { database, seal, migrated: database.migrated, [Symbol.asyncDispose]: () => database.close() };
}

/**
 * Creates the database or brings its schema to this release, without starting a service. On SQLite, no service may run
 * at the same time. On PostgreSQL, running instances of the previous release can use the new schema.
 */
export async function migrateInstallation(place: StorageLocation): Promise<Migrated | undefined> {
  using _lock = place.database ? undefined : lockForService(place.dataDir);
  await using storage = await openStorage(place);
  return storage.migrated;
}

/** The migrations that opening the storage would run, and the schema version before them (0 without a database). */
export async function findMigrations(
  place: StorageLocation,
): Promise<{ found: number; missing: Migration[] }> {
  const found = await readVersion(place);
  refuseNewerSchema(found);
  return { found, missing: migrations.slice(found) };
}

/** How many bytes the missing migrations need on the disk, at most. Undefined on PostgreSQL. */
export function estimateMigrations({ dataDir, database }: StorageLocation): number | undefined {
  return database ? undefined : estimateMigration(sqliteFileIn(dataDir));
}

async function readVersion({ dataDir, database: postgres }: StorageLocation): Promise<number> {
  if (!postgres) return readSqliteVersion(sqliteFileIn(dataDir));
  const { readPostgresVersion } = await import('./postgres/migrate.ts');
  return readPostgresVersion(postgres);
}

export function expectFile(dataDir: string): void {
  // Unlike `existsSync`, `statSync` throws if this user may not enter the folder.
  if (!statSync(sqliteFileIn(dataDir), { throwIfNoEntry: false })) throw new NoInstallation(`in ${dataDir}`);
}

type Opened = Pick<Storage, 'database' | 'seal'>;

interface How {
  clock: Clock;
  schema: SchemaRule;
  /** Called on SQLite if the log could not be copied into the database file. */
  onCheckpointError?: ((error: unknown) => void) | undefined;
}

async function openServer(
  postgres: PostgresOptions,
  { secret, previousSecret }: StorageLocation,
  { clock, schema }: How,
): Promise<Opened> {
  const { openPostgres } = await import('./postgres/open-postgres.ts');
  const seal = makeSeal(secret ?? (await refuse(postgres)), { previous: previousSecret });
  // All instances share the clock of the PostgreSQL server. Only tests replace it.
  const replaced = clock === systemClock ? undefined : clock;
  return { seal, database: await openPostgres(postgres, { clock: replaced, schema }) };
}

function openFile({ dataDir, secret, previousSecret }: StorageLocation, how: How): Opened {
  const file = sqliteFileIn(dataDir);
  if (how.schema === 'expect') expectFile(dataDir);
  const seal =
    secret === undefined
      ? makeSeal(readFileSecret(dataDir), { readAgain: () => readSecrets(dataDir) })
      : makeSeal(secret, { previous: previousSecret });
  return { seal, database: openSqlite(file, how) };
}

function readFileSecret(dataDir: string): string {
  const file = sqliteFileIn(dataDir);
  try {
    return readOrMakeSecret(dataDir, !existsSync(file));
  } catch (error) {
    // After an interrupted restore this throws UnfinishedRestore: repeating the restore writes the missing secret.
    if (error instanceof WrongSecret) readSqliteVersion(file);
    throw error;
  }
}

/** On PostgreSQL the secret must be configured, because other instances cannot read a file of this one. */
async function refuse(postgres: PostgresOptions): Promise<never> {
  // After an interrupted restore, do not ask for a new secret, because it would not fit the backup. Repeating the
  // restore writes the right one.
  const { readPostgresVersion } = await import('./postgres/migrate.ts');
  await readPostgresVersion(postgres).catch((error) => {
    if (error instanceof UnfinishedRestore) throw error;
  });
  throw new WrongConfiguration(
    'with DATABASE_URL set GASTPASS_SECRET too, the same for every instance (at least 32 characters, such as openssl rand -hex 32)',
  );
}
