// The store for retention. Each slice is one transaction: it deletes rows, raises the list versions of the vouchers'
// sites, and updates the run's row in the audit log, which always states how many rows have been deleted.

import type { Database, Handle } from '../../../platform/database/database.ts';
import type { TrustedTime } from '../../clock-check/clock-check.ts';
import { shortenIps } from '../../privacy/shorten-ips-store.ts';
import { raiseListVersion } from '../../sites/site-queries.ts';
import { type DeletedKind, LIMITED_KINDS, leftOf } from '../deletion-limit.ts';
import type { RetentionPreview, RetentionRun, RetentionStore } from '../retention.ts';
import { addToDay, holdDay, selectDays } from './deletion-days.ts';
import {
  countOldAuditRows,
  countVouchersEnded,
  deleteEmptyBatches,
  deleteOldAuditRows,
  deleteOldVouchers,
  selectAuditIdsAfter,
  selectEndOfAudit,
  selectExistingBatchIds,
  selectOldEnds,
  writeRunRow,
} from './retention-queries.ts';

import { forgetBlocksOf } from './search-index-queries.ts';

/** Rows per transaction. Requests are served between two slices. */
const SLICE = 500;
const LOOKED_AT = 20_000;
/** Number of time ranges in which vouchers are counted. Requests are served between two ranges. */
const COUNTED_IN = 50;

type Tally = Record<DeletedKind, number>;

export function makeRetentionStore(database: Database): RetentionStore {
  return {
    async preview({ vouchersS, auditMs }) {
      const endedS = vouchersS === null ? null : await selectOldEnds(database.read, vouchersS);
      return {
        endedS,
        vouchers: endedS ? await countVouchers(database.read, endedS) : 0,
        ...(await countAudit(database.read, auditMs)),
      };
    },
    begin: (time, isLimited) => beginRun(database, time, isLimited),
    async listHeldBack() {
      const days = await selectDays(database.read);
      return LIMITED_KINDS.filter((kind) => days[kind] && leftOf(days[kind]) <= 0);
    },
  };
}

async function countVouchers(
  handle: Handle,
  { first, last }: { first: number; last: number },
): Promise<number> {
  let count = 0;
  const stepS = Math.ceil((last + 1 - first) / COUNTED_IN);
  for (let fromS = first; fromS <= last; fromS += stepS) {
    await new Promise(setImmediate);
    count += await countVouchersEnded(handle, fromS, Math.min(fromS + stepS, last + 1));
  }
  return count;
}

/** Stops at the first slice without old rows, because rows are written in the order of time. */
async function countAudit(
  handle: Handle,
  beforeMs: number | null,
): Promise<Pick<RetentionPreview, 'auditRows' | 'auditMs'>> {
  const old: Awaited<ReturnType<typeof countAudit>> = { auditRows: 0, auditMs: null };
  if (beforeMs === null) return old;
  for (let afterId: number | undefined = 0; afterId !== undefined; ) {
    await new Promise(setImmediate);
    const slice: { afterId: number; limit: number } = { afterId, limit: LOOKED_AT };
    const { count, first, last } = await countOldAuditRows(handle, { ...slice, beforeMs });
    if (first === null || last === null) return old;
    old.auditRows += count;
    old.auditMs = {
      first: Math.min(first, old.auditMs?.first ?? first),
      last: Math.max(last, old.auditMs?.last ?? last),
    };
    afterId = await selectEndOfAudit(handle, slice);
  }
  return old;
}

/** Deletes at most `limit` rows and returns their number. */
type DeleteSlice = (transaction: Handle, limit: number) => Promise<number>;

function beginRun(
  database: Database,
  { nowMs: atMs, runningMs }: TrustedTime,
  isLimited: () => boolean,
): RetentionRun {
  let id: number | undefined;
  let tally: Tally = { vouchers: 0, batches: 0, auditRows: 0 };
  const heldBack = new Set<DeletedKind>();

  /** Deletes a slice, and updates the run's row and the counts of the day in the same transaction. */
  async function slice(kind: DeletedKind, run: DeleteSlice): Promise<number> {
    const done = await database.write(async (transaction) => {
      const day = await holdDay(transaction, kind, runningMs);
      const left = isLimited() ? leftOf(day) : Number.POSITIVE_INFINITY;
      // Batches are deleted only while the daily limit allows a full slice. Most batches may have to stay, so going
      // through them in smaller slices would take very long.
      const isHeldBack = left < (kind === 'batches' ? SLICE : 1);
      if (isHeldBack) return { count: 0, isHeldBack, id, tally };
      const count = await run(transaction, Math.min(SLICE, left));
      if (count === 0) return { count, isHeldBack, id, tally };
      await addToDay(transaction, kind, count);
      const risen = { ...tally, [kind]: tally[kind] + count };
      const runId = await writeRunRow(transaction, { id, atMs }, toCounts(risen));
      return { count, isHeldBack, id: runId, tally: risen };
    });
    ({ id, tally } = done);
    if (done.isHeldBack) heldBack.add(kind);
    return done.count;
  }

  return {
    forgetVouchers: (beforeS) =>
      slice('vouchers', async (transaction, limit) => {
        const deleted = await deleteOldVouchers(transaction, beforeS, limit);
        await forgetBlocksOf(
          transaction,
          deleted.map(({ id }) => id),
        );
        const siteIds = new Set(deleted.map(({ siteId }) => siteId));
        for (const id of [...siteIds].sort((one, other) => one - other))
          await raiseListVersion(transaction, id);
        return deleted.length;
      }),
    async forgetBatches(beforeMs, afterId) {
      let next: string | undefined;
      await slice('batches', async (transaction, limit) => {
        const ids = await selectExistingBatchIds(transaction, { afterId, limit });
        next = ids[limit - 1];
        return deleteEmptyBatches(transaction, ids, beforeMs);
      });
      return next;
    },
    async forgetAudit(beforeMs, afterId) {
      let next: number | undefined;
      const gone = await slice('auditRows', async (transaction, limit) => {
        const ids = await selectAuditIdsAfter(transaction, { afterId, limit });
        next = ids[limit - 1];
        return deleteOldAuditRows(transaction, ids, beforeMs);
      });
      return gone === 0 ? undefined : next;
    },
    shortenIps: (beforeMs, nowMs) =>
      database.write((transaction) => shortenIps(transaction, { beforeMs, nowMs, limit: SLICE })),
    report: () => ({ ...tally, heldBack: [...heldBack] }),
  };
}

function toCounts({ vouchers, batches, auditRows }: Tally): Record<string, number> {
  return { vouchers, batches, audit: auditRows };
}
