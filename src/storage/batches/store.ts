// The store for batches.

import { randomUUID } from 'node:crypto';
import { toActorText } from '../../domain/audit/actor.ts';
import { siteDetails } from '../../domain/audit/audit-details.ts';
import { type BatchStore, isOver } from '../../domain/batches/batch.ts';
import { toWholeSeconds } from '../../domain/clock.ts';
import { RESPONSES_KEPT_MS, repeatResponse } from '../../domain/vouchers/idempotency.ts';
import { insertAuditEntry } from '../audit/queries.ts';
import type { Database } from '../database.ts';
import type { Seal } from '../seal.ts';
import { insertTicket, selectResponse } from '../vouchers/idempotency-queries.ts';
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
import { sealMail } from './sealed-mail.ts';

export function makeBatchStore(database: Database, seal: Seal): BatchStore {
  return {
    begin: (batch, ticket) =>
      database.write(async (transaction) => {
        const { id: batchId, createdAtMs } = batch;
        const sealedMail = await sealMail(transaction, seal, batch);
        const opened = { batchId, createdAtMs, notBeforeMs: createdAtMs - RESPONSES_KEPT_MS };
        if (ticket && !(await insertTicket(transaction, ticket, opened))) return false;
        if (!(await insertBatch(transaction, batch, sealedMail))) return false;
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
    async findRepeated(ticket, nowMs) {
      const found = await selectResponse(database.read, ticket, nowMs - RESPONSES_KEPT_MS);
      if (!found) return undefined;
      const { bodyHash, intentId, answer: text, batchId } = found;
      const batch = batchId && (await selectBatch(database.read, seal, batchId));
      await database.untilDurable?.();
      // Retention deletes only batches whose vouchers have all ended.
      const hasEnded = !batch || isOver(batch, toWholeSeconds(nowMs));
      const isOfBatch = text !== null && batchId !== null;
      return repeatResponse(
        { bodyHash, intentId, ...(isOfBatch && { stored: { text, response: batchId, hasEnded } }) },
        ticket,
      );
    },
    find: (id) => selectBatch(database.read, seal, id),
    list: (search) => selectBatches(database.read, search),
    listOpen: () => selectOpenBatches(database.read),
    listFailed: (search) => selectFailedBatches(database.read, search),
    settleFailed: (userId, atMs) =>
      database.write((transaction) => settleFailedBatches(transaction, userId, atMs)),
  };
}
