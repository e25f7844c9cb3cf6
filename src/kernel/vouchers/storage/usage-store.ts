// The stores for usage sync. Each method that writes is one transaction.

import type { Database } from '../../../platform/database/database.ts';
import { type ReportOutage, reportFailure, reportSuccess } from '../../sites/outage-queries.ts';
import { raiseListVersion } from '../../sites/site-queries.ts';
import { type SyncStore, staleAfterMs } from '../../sites/site-sync.ts';
import {
  clearSyncFailure,
  selectNeverTried,
  selectSyncs,
  selectTimeSinceSync,
  upsertSync,
  upsertSyncFailure,
} from '../../sites/sync-queries.ts';
import { selectInStock } from '../../stock/stock-voucher-store.ts';
import type { UsageStore } from '../usage-records.ts';
import { selectIntents } from './intent-queries.ts';
import {
  adoptByCode,
  idsOf,
  insertForeignVouchers,
  selectCodesWithoutId,
  selectExpectedVouchers,
  selectKnownVouchers,
  selectNewestVoucherId,
  selectSampleOfExpected,
  updateUsage,
} from './usage-queries.ts';

export function makeUsageStore(database: Database): UsageStore {
  return {
    newestId: () => selectNewestVoucherId(database.read),
    async findKnown(siteId, ids) {
      await letRequestsIn();
      return selectKnownVouchers(database.read, siteId, ids);
    },
    async readExpected(siteId, afterId, limit) {
      await letRequestsIn();
      return selectExpectedVouchers(database.read, siteId, { afterId, limit });
    },

    sampleExpected: (siteId) => selectSampleOfExpected(database.read, siteId, database.now()),

    async change(siteId, changes) {
      await letRequestsIn();
      await database.write(async (transaction) => {
        for (const change of changes) await updateUsage(transaction, change);
        await raiseListVersion(transaction, siteId);
      });
    },

    async importForeign(siteId, vouchers) {
      await letRequestsIn();
      return database.write(async (transaction) => {
        // A voucher with the same name as an open intent is not imported yet. Importing it one sync later is better
        // than taking it from the intent that requested it.
        const intents = await selectIntents(transaction, database.now(), { siteId });
        const awaited = new Set(intents.map(({ order }) => order.name));
        // The worker may have put a voucher into the stock after the sync has read the stock.
        const stocked = new Set<string | null>(await selectInStock(transaction, siteId, idsOf(vouchers)));
        const unclaimed = vouchers.filter(
          ({ name, controllerVoucherId: id }) => !awaited.has(name) && !stocked.has(id),
        );
        const foreign = await adoptByCode(transaction, siteId, unclaimed);
        const imported = await insertForeignVouchers(transaction, siteId, foreign);
        if (imported > 0) await raiseListVersion(transaction, siteId);
        return imported;
      });
    },

    async adopt(siteId, vouchers) {
      await letRequestsIn();
      const codes = await selectCodesWithoutId(database.read, siteId, vouchers);
      if (codes.size === 0) return;
      const lacking = vouchers.filter(({ code }) => code !== null && codes.has(code));
      await database.write((transaction) => adoptByCode(transaction, siteId, lacking));
    },
  };
}

/** SQLite queries are synchronous. Without this pause, thousands of slices would run in one turn of the event loop. */
const letRequestsIn = () => new Promise(setImmediate);

export function makeSyncStore(database: Database, syncIntervalS: number, report: ReportOutage): SyncStore {
  return {
    async readTimeMs() {
      const now = database.now();
      return (await database.read.selectNoFrom(now.as('now_ms')).executeTakeFirstOrThrow()).now_ms;
    },
    noteSuccess: (siteId, beganAtMs) =>
      database.write(async (transaction) => {
        await upsertSync(transaction, siteId, {
          synced_at_ms: database.now(),
          ...(beganAtMs !== undefined && { began_at_ms: beganAtMs }),
        });
        await reportSuccess(transaction, siteId, { now: database.now(), report });
      }),
    noteFailure: (siteId, error, cause = null) =>
      database.write(async (transaction) => {
        await upsertSyncFailure(transaction, siteId, { now: database.now(), error, cause });
        await reportFailure(transaction, siteId, { now: database.now(), cause, report });
      }),
    noteWorking: (siteId) =>
      database.write(async (transaction) => {
        await clearSyncFailure(transaction, siteId);
        await reportSuccess(transaction, siteId, { now: database.now(), report });
      }),
    sinceLastMs: (siteId) => selectTimeSinceSync(database.read, siteId, database.now()),
    list: () => selectSyncs(database.read, staleAfterMs(syncIntervalS)),
    listNeverTried: (createdBeforeMs) => selectNeverTried(database.read, createdBeforeMs),
  };
}
