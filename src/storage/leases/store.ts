// The store for leases.

import type { LeaseStore } from '../../domain/leases/leases.ts';
import type { Database } from '../database.ts';
import { deleteLease, deleteLeases, upsertLease } from './queries.ts';

export function makeLeaseStore(database: Database): LeaseStore {
  return {
    take: (name, holder, forMs) =>
      database.write((transaction) => upsertLease(transaction, { name, holder, forMs }, database.now())),
    release: (name, holder) => database.write((transaction) => deleteLease(transaction, name, holder)),
    releaseAll: () => database.write((transaction) => deleteLeases(transaction)),
  };
}
