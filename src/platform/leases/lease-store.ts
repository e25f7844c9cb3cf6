// The store for leases.

import type { Database } from '../database/database.ts';
import { deleteLease, deleteLeases, upsertLease } from './lease-queries.ts';
import type { LeaseStore } from './leases.ts';

export function makeLeaseStore(database: Database): LeaseStore {
  return {
    take: (name, holder, forMs) =>
      database.write((transaction) => upsertLease(transaction, { name, holder, forMs }, database.now())),
    release: (name, holder) => database.write((transaction) => deleteLease(transaction, name, holder)),
    releaseAll: () => database.write((transaction) => deleteLeases(transaction)),
  };
}
