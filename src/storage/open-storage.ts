// Opens the storage of an installation: its database, in the data folder or on a PostgreSQL server, and the seal with
// the installation's secret. Called by the service and by every command that needs the data.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '../domain/clock.ts';
import { WrongConfiguration } from '../domain/wrong-configuration.ts';
import { makeDataFolder } from './data-folder.ts';
import type { Database } from './database.ts';
import { migrations } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';
import type { PostgresOptions } from './postgres/connection.ts';
import { finishInterruptedRekey } from './rekey/finish-rename.ts';
import { NoInstallation, refuseNewerSchema, type SchemaRule } from './schema-version.ts';
import { makeSeal, type Seal } from './seal.ts';
import { checkSecret } from './secret-check.ts';
import { readOrMakeSecret, readSecrets } from './secret-file.ts';
import { openSqlite, readSqliteVersion } from './sqlite/open-sqlite.ts';

export interface Storage {
  database: Database;
  seal: Seal;
}

export interface Place {
  dataDir: string;
  database?: PostgresOptions | undefined;
  /** Undefined means the file in the data folder. */
  secret: string | undefined;
  /** The secret before `secret`, while a rekey is under way. */
  previousSecret?: string | undefined;
}

export async function openStorage(
  place: Place,
  clock: Clock = systemClock,
  schema: SchemaRule = 'migrate',
): Promise<Storage> {
  const { dataDir, database: postgres, secret, previousSecret } = place;
  if (schema === 'migrate') makeDataFolder(dataDir);
  const storage = postgres
    ? await openServer(postgres, place, { clock, schema })
    : openFile(place, { clock, schema });
  try {
    await checkSecret(storage.database, storage.seal, {
      hasPrevious: previousSecret !== undefined,
      mayStore: schema === 'migrate',
    });
    if (schema === 'migrate' && !postgres && secret === undefined)
      await finishInterruptedRekey(dataDir, storage.database);
  } catch (error) {
    await storage.database.close();
    throw error;
  }
  return storage;
}

/** The migrations that opening the storage would run, and the schema version before them (0 without a database). */
export async function findMigrations(place: Place): Promise<{ found: number; missing: Migration[] }> {
  const found = await readVersion(place);
  refuseNewerSchema(found);
  return { found, missing: migrations.slice(found) };
}

async function readVersion({ dataDir, database: postgres }: Place): Promise<number> {
  if (!postgres) return readSqliteVersion(sqliteFileIn(dataDir));
  const { readPostgresVersion } = await import('./postgres/migrate.ts');
  return readPostgresVersion(postgres);
}

export function expectFile(dataDir: string): void {
  if (!existsSync(sqliteFileIn(dataDir))) throw new NoInstallation(`in ${dataDir}`);
}

const sqliteFileIn = (dataDir: string) => join(dataDir, 'gastpass.sqlite');

interface How {
  clock: Clock;
  schema: SchemaRule;
}

async function openServer(
  postgres: PostgresOptions,
  { secret, previousSecret }: Place,
  { clock, schema }: How,
): Promise<Storage> {
  const seal = makeSeal(secret ?? refuse(), { previous: previousSecret });
  const { openPostgres } = await import('./postgres/open-postgres.ts');
  return { seal, database: await openPostgres(postgres, { clock: sharedClock(clock), schema }) };
}

function openFile({ dataDir, secret, previousSecret }: Place, { clock, schema }: How): Storage {
  const file = sqliteFileIn(dataDir);
  if (schema === 'expect') expectFile(dataDir);
  const seal =
    secret === undefined
      ? makeSeal(readOrMakeSecret(dataDir, !existsSync(file)), { readAgain: () => readSecrets(dataDir) })
      : makeSeal(secret, { previous: previousSecret });
  return { seal, database: openSqlite(file, clock, schema) };
}

/** All instances share the clock of the PostgreSQL server. Only tests replace it. */
function sharedClock(clock: Clock): Clock | undefined {
  return clock === systemClock ? undefined : clock;
}

/** A secret file in the data folder of one instance would not be available to the other instances. */
function refuse(): never {
  throw new WrongConfiguration(
    'with DATABASE_URL set GASTPASS_SECRET too, the same for every instance (at least 32 characters, such as openssl rand -hex 32)',
  );
}
