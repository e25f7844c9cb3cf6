// The store for retention. Each slice is one transaction: it deletes rows, raises the list versions of the vouchers'
// sites, and updates the run's row in the audit log, which always states how many rows have been deleted.

import type { RetentionPreview, RetentionRun, RetentionStore } from '../../domain/vouchers/retention.ts';
import type { Database, Handle } from '../database.ts';
import { shortenIps } from '../privacy/shorten-ips.ts';
import { raiseListVersion } from '../sites/queries.ts';
import {
  countOldAuditRows,
  countVouchersEnded,
  deleteEmptyBatches,
  deleteOldAuditRows,
  deleteOldVouchers,
  selectEndOfAudit,
  selectEndOfBatches,
  selectOldEnds,
  writeRunRow,
} from './retention-queries.ts';

import { forgetBlocksOf } from './search-index-queries.ts';

/** Rows per transaction. Requests are served between two slices. */
const SLICE = 500;
const LOOKED_AT = 20_000;
/** Number of time ranges in which vouchers are counted. Requests are served between two ranges. */
const COUNTED_IN = 50;

interface Tally {
  vouchers: number;
  batches: number;
  auditRows: number;
}

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
    begin: (atMs) => beginRun(database, atMs),
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

function beginRun(database: Database, atMs: number): RetentionRun {
  let id: number | undefined;
  let tally: Tally = { vouchers: 0, batches: 0, auditRows: 0 };

  /** Deletes a slice and updates the run's row in the same transaction. */
  async function slice(kind: keyof Tally, run: (transaction: Handle) => Promise<number>): Promise<number> {
    const done = await database.write(async (transaction) => {
      const count = await run(transaction);
      if (count === 0) return { count, id, tally };
      const risen = { ...tally, [kind]: tally[kind] + count };
      return { count, id: await writeRunRow(transaction, { id, atMs }, describe(risen)), tally: risen };
    });
    ({ id, tally } = done);
    return done.count;
  }

  return {
    forgetVouchers: (beforeS) =>
      slice('vouchers', async (transaction) => {
        const deleted = await deleteOldVouchers(transaction, beforeS, SLICE);
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
      const next = await selectEndOfBatches(database.read, { afterId, limit: SLICE });
      const wanted = { beforeMs, afterId, limit: SLICE };
      await slice('batches', (transaction) => deleteEmptyBatches(transaction, wanted));
      return next;
    },
    async forgetAudit(beforeMs, afterId) {
      const next = await selectEndOfAudit(database.read, { afterId, limit: SLICE });
      const wanted = { beforeMs, afterId, limit: SLICE };
      const gone = await slice('auditRows', (transaction) => deleteOldAuditRows(transaction, wanted));
      return gone === 0 ? undefined : next;
    },
    shortenIps: (beforeMs, nowMs) =>
      database.write((transaction) => shortenIps(transaction, { beforeMs, nowMs, limit: SLICE })),
  };
}

function describe({ vouchers, batches, auditRows }: Tally): string {
  return `vouchers: ${vouchers}, batches: ${batches}, audit: ${auditRows}`;
}
