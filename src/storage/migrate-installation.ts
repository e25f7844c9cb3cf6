// Creates the database of an installation or brings its schema to this release, without starting a service.

import { openStorage, type Place } from './open-storage.ts';
import type { Migrated } from './schema-version.ts';
import { lockForService } from './service-lock.ts';

/** On SQLite no service may run meanwhile. On PostgreSQL instances of the release before go on with the new schema. */
export async function migrateInstallation(place: Place): Promise<Migrated | undefined> {
  using _lock = place.database ? undefined : lockForService(place.dataDir);
  await using storage = await openStorage(place);
  return storage.migrated;
}
