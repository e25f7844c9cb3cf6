// The store for bulk revocations.

import type { Database } from '../../../platform/database/database.ts';
import type { BulkRevocationStore } from '../bulk-revocation.ts';
import {
  countOutcomes,
  deleteOldBulkRevocations,
  insertBulkRevocation,
  markBulkRevocationEnded,
  reopenFailed,
  selectAwaiting,
  selectBulkRevocation,
  selectOpenBulkRevocations,
  selectReport,
  updateOutcome,
} from './bulk-revocation-queries.ts';

export function makeBulkRevocationStore(database: Database): BulkRevocationStore {
  return {
    begin: (revocation) => database.write((transaction) => insertBulkRevocation(transaction, revocation)),
    find: (id) => selectBulkRevocation(database.read, { id }),
    findOfBatch: (batchId) => selectBulkRevocation(database.read, { batchId }),
    listOpen: () => selectOpenBulkRevocations(database.read),
    tally: (id) => countOutcomes(database.read, id),
    listAwaiting: (id, siteId, limit) => selectAwaiting(database.read, id, { siteId, limit }),
    noteOutcome: (id, voucherId, outcome) =>
      database.write((transaction) => updateOutcome(transaction, id, { voucherId }, { outcome }), 'finishes'),
    noteFailure: (id, voucherId, failure) =>
      database.write(
        (transaction) => updateOutcome(transaction, id, { voucherId }, { outcome: 'failed', failure }),
        'finishes',
      ),
    failRest: (id, siteId, failure) =>
      database.write(
        (transaction) => updateOutcome(transaction, id, { siteId }, { outcome: 'failed', failure }),
        'finishes',
      ),
    end: (id, atMs) =>
      database.write((transaction) => markBulkRevocationEnded(transaction, id, atMs), 'finishes'),
    retryFailed: (id, by) => database.write((transaction) => reopenFailed(transaction, id, by)),
    report: (id, chunk) => selectReport(database.read, id, chunk),
    forgetOld: (beforeMs) => database.write((transaction) => deleteOldBulkRevocations(transaction, beforeMs)),
  };
}
