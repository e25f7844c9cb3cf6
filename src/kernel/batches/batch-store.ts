// The store for batches.

import { randomUUID } from 'node:crypto';
import type { Database, Handle } from '../../platform/database/database.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { toWholeSeconds } from '../../platform/time/clock.ts';
import { toActorText } from '../audit/actor.ts';
import { siteDetails } from '../audit/audit-details.ts';
import type { AuditContext } from '../audit/audit-log.ts';
import { insertAuditEntry } from '../audit/audit-queries.ts';
import type { BatchId } from '../ids.ts';
import { insertOutboxEvent } from '../messages/outbox-queries.ts';
import { RESPONSES_KEPT_MS, repeatResponse } from '../vouchers/idempotency.ts';
import { insertTicket, selectResponse } from '../vouchers/storage/idempotency-queries.ts';
import { releaseReplaced } from '../vouchers/storage/lost-queries.ts';
import { type BatchStore, isOver, type Why } from './batch.ts';
import {
  holdOpenBatch,
  insertBatch,
  markBatchEnded,
  selectBatch,
  selectBatches,
  selectFailedBatches,
  selectOpenBatch,
  selectOpenBatches,
  settleFailedBatches,
} from './batch-queries.ts';
import { reopenBatch, replaceBatch, selectProgress, setWait } from './filling-queries.ts';
import { sealMail } from './sealed-mail-columns.ts';

export function makeBatchStore(database: Database, seal: Seal): BatchStore {
  return {
    begin: (batch, ticket) =>
      database.write(async (transaction) => {
        const { id: batchId, createdAtMs, insteadOf, isFromReserve } = batch;
        const sealedMail = await sealMail(transaction, seal, batch);
        const opened = { batchId, createdAtMs, notBeforeMs: createdAtMs - RESPONSES_KEPT_MS };
        const replaced = { by: batchId, atMs: createdAtMs };
        if (insteadOf && !isFromReserve && (await holdOpenBatch(transaction, insteadOf))) return false;
        const freed = ticket?.replaces ? await selectResponse(transaction, ticket, 0) : undefined;
        if (freed?.batchId && freed.answer === ticket?.replaces)
          if (!(await replaceBatch(transaction, freed.batchId, replaced))) return false;
        if (ticket && !(await insertTicket(transaction, ticket, opened))) return false;
        if (!(await insertBatch(transaction, batch, { now: database.now(), sealedMail }))) return false;
        if (!insteadOf) return true;
        const open = isFromReserve && (await selectOpenBatch(transaction, insteadOf));
        if (open) await endBatch(transaction, insteadOf, { ...open, atMs: createdAtMs });
        await replaceBatch(transaction, insteadOf, replaced);
        return true;
      }),
    resume: (id) => database.write((transaction) => reopenBatch(transaction, id, database.now())),
    findProgress: (id) => selectProgress(database.read, id, database.now()),
    noteWait: (id, why) => database.write((transaction) => setWait(transaction, id, why), 'finishes'),
    end: (id, outcome) => database.write((transaction) => endBatch(transaction, id, outcome), 'finishes'),
    async findRepeated(ticket, nowMs) {
      const found = await selectResponse(database.read, ticket, nowMs - RESPONSES_KEPT_MS);
      if (!found) return undefined;
      const { bodyHash, answer: text, batchId } = found;
      const batch = batchId && (await selectBatch(database.read, seal, batchId));
      await database.untilDurable?.();
      // Retention deletes only batches whose vouchers have all ended.
      const hasEnded = !batch || isOver(batch, toWholeSeconds(nowMs));
      const isOfBatch = text !== null && batchId !== null;
      // The key of a batch that failed without a voucher is free in any case: its order was not fulfilled.
      const { isKept: _, ...freeable } = ticket;
      const isUnfulfilled = batch && batch.problem !== null && batch.vouchers.length === 0;
      return repeatResponse(
        { bodyHash, ...(isOfBatch && { stored: { text, response: batchId, hasEnded } }) },
        isUnfulfilled ? freeable : ticket,
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

async function endBatch(
  transaction: Handle,
  id: BatchId,
  { problem, cause, actor, atMs, ip }: Why & AuditContext,
): Promise<void> {
  const ended = await markBatchEnded(transaction, id, { problem, cause, atMs });
  // Also if the batch had ended before, because the previous release does not do this.
  await releaseReplaced(transaction, id);
  if (!ended || ended.made <= 0) return;
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
}
