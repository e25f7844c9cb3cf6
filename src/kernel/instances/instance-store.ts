// The store for the running instances.

import type { Database } from '../../platform/database/database.ts';
import { compareReleases, type InstanceStore } from './instance.ts';
import {
  deleteDeadInstances,
  deleteInstance,
  deleteInstances,
  selectLiving,
  upsertInstance,
} from './instance-queries.ts';

export function makeInstanceStore(database: Database): InstanceStore {
  return {
    note: (instance) =>
      database.write(async (transaction) => {
        await upsertInstance(transaction, instance, database.now());
        await deleteDeadInstances(transaction, database.now());
      }),
    forget: (id) => database.write((transaction) => deleteInstance(transaction, id)),
    forgetAll: () => database.write((transaction) => deleteInstances(transaction)),
    listLiving: async () =>
      (await selectLiving(database.read, database.now())).sort(
        (one, other) => compareReleases(one.release, other.release) || (one.name < other.name ? -1 : 1),
      ),
  };
}
