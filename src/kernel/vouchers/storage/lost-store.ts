// The store for lost vouchers and for the batches that replace them.

import { randomUUID } from 'node:crypto';
import type { Database } from '../../../platform/database/database.ts';
import { siteDetails } from '../../audit/audit-details.ts';
import { insertAuditEntry } from '../../audit/audit-queries.ts';
import { MAX_BATCH_SIZE, type NewBatch } from '../../batches/batch.ts';
import { insertBatch } from '../../batches/batch-queries.ts';
import { asBatchId } from '../../ids.ts';
import { holdSite, selectSiteName } from '../../sites/site-queries.ts';
import type { LostVoucherStore } from '../lost-vouchers.ts';
import {
  countLost,
  countLostPerSite,
  hasReplacement,
  markReplaced,
  markUnneeded,
  selectLostGroups,
  selectReplacing,
} from './lost-queries.ts';

export function makeLostVoucherStore(database: Database): LostVoucherStore {
  return {
    countPerSite: (nowS) => countLostPerSite(database.read, nowS),
    count: (scope) => countLost(database.read, scope),
    listGroups: (scope) => selectLostGroups(database.read, scope, MAX_BATCH_SIZE),
    listReplacing: (id) => selectReplacing(database.read, id),

    beginReplacement: ({ id: replacementId, scope, userId }, by) =>
      database.write(async (transaction) => {
        // Two requests of one form wait for each other here.
        const siteName = await holdSite(transaction, scope.siteId);
        if (await hasReplacement(transaction, replacementId)) return [];
        const batches: NewBatch[] = [];
        for (const { order, ids } of await selectLostGroups(transaction, scope, MAX_BATCH_SIZE)) {
          const id = asBatchId(randomUUID());
          const wanted = await markReplaced(transaction, { ids, batchId: id, listOf: database.listOf });
          if (wanted === 0) continue;
          const batch = { id, userId, order, wanted, createdAtMs: by.atMs, replacementId };
          await insertBatch(transaction, batch, { now: database.now() });
          batches.push(batch);
        }
        if (batches.length === 0) return [];
        const site = siteDetails(scope.siteId, siteName);
        const count = batches.reduce((sum, { wanted }) => sum + wanted, 0);
        await insertAuditEntry(transaction, {
          ...by,
          action: 'voucher.replaced',
          details: { ...site, count },
        });
        return batches;
      }),

    dismiss: (scope, by) =>
      database.write(async (transaction) => {
        const count = await markUnneeded(transaction, scope);
        if (count === 0) return;
        const site = siteDetails(scope.siteId, await selectSiteName(transaction, scope.siteId));
        await insertAuditEntry(transaction, {
          ...by,
          action: 'voucher.loss-noted',
          details: { ...site, count },
        });
      }),
  };
}
