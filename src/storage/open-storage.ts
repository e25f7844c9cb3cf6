// Opens what an installation keeps in its data folder: the database and the secret that fits it.
// Called by the service and by every command that needs the data.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '../domain/clock.ts';
import { makeDataFolder } from './data-folder.ts';
import type { Database } from './database.ts';
import { checkSecret, makeSeal, type Seal } from './seal.ts';
import { readOrMakeSecret } from './secret-file.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';

export interface Storage {
  database: Database;
  seal: Seal;
}

export async function openStorage(
  place: { dataDir: string; secret: string | undefined },
  clock: Clock = systemClock,
): Promise<Storage> {
  const { dataDir, secret } = place;
  makeDataFolder(dataDir);
  const file = join(dataDir, 'gastpass.sqlite');
  const seal = makeSeal(secret ?? readOrMakeSecret(dataDir, !existsSync(file)));

  const database = openSqlite(file, clock);
  try {
    await checkSecret(database, seal);
  } catch (error) {
    await database.close();
    throw error;
  }
  return { database, seal };
}
