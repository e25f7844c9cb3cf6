// The store for batches.

import { randomUUID } from 'node:crypto';
import { toActorText } from '../../domain/audit/actor.ts';
import { siteDetails } from '../../domain/audit/audit-details.ts';
import type { BatchStore } from '../../domain/batches/batch.ts';
import { insertAuditEntry } from '../audit/queries.ts';
import type { Database } from '../database.ts';
import { releaseReplaced } from '../vouchers/lost-queries.ts';
import { insertOutboxEvent } from '../webhooks/outbox-queries.ts';
import {
  insertBatch,
  markBatchEnded,
  selectBatch,
  selectBatches,
  selectFailedBatches,
  selectOpenBatches,
  settleBatch,
  settleFailedBatches,
} from './queries.ts';

export function makeBatchStore(database: Database): BatchStore {
  return {
    begin: (batch) =>
      database.write(async (transaction) => {
        if (!(await insertBatch(transaction, batch))) return false;
        if (batch.insteadOf) await settleBatch(transaction, batch.insteadOf, batch.createdAtMs);
        return true;
      }),
    end: (id, { problem, cause, actor, atMs, ip }) =>
      database.write(async (transaction) => {
        const ended = await markBatchEnded(transaction, id, { problem, cause, atMs });
        // Also if the batch had ended before, because the previous release does not do this.
        await releaseReplaced(transaction, id);
        if (!ended || ended.made === 0) return;
        const { made: voucherCount, siteId, siteName, name } = ended;
        const eventId = randomUUID();
        const source = toActorText(actor);
        await insertOutboxEvent(transaction, { eventId, voucherCount, siteName, source, occurredAtMs: atMs });
        await insertAuditEntry(transaction, {
          atMs,
          actor,
          action: 'voucher.created',
          details: { batch: { id, name: name ?? '' }, ...siteDetails(siteId, siteName), count: voucherCount },
          ...(ip !== undefined && { ip }),
        });
      }, 'finishes'),
    find: (id) => selectBatch(database.read, id),
    list: (search) => selectBatches(database.read, search),
    listOpen: () => selectOpenBatches(database.read),
    listFailed: (search) => selectFailedBatches(database.read, search),
    settleFailed: (userId, atMs) =>
      database.write((transaction) => settleFailedBatches(transaction, userId, atMs)),
  };
}
