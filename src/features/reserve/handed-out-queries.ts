// Records a voucher of the stock when it is handed out: from now on it is a voucher like any other. Used for the
// reserve and for rolling codes, in the transaction that takes the voucher out of the stock.

import { randomUUID } from 'node:crypto';
import { toActorText } from '../../kernel/audit/actor.ts';
import { siteDetails } from '../../kernel/audit/audit-details.ts';
import { insertAuditEntry } from '../../kernel/audit/audit-queries.ts';
import { holdOpenBatch } from '../../kernel/batches/batch-queries.ts';
import { insertReadyMessages, type SealedMessage } from '../../kernel/messages/held-queries.ts';
import { insertOutboxEvent } from '../../kernel/messages/outbox-queries.ts';
import { raiseListVersion, selectSiteName } from '../../kernel/sites/site-queries.ts';
import type { TakenVoucher } from '../../kernel/stock/stock-voucher-store.ts';
import { isRecordedWithoutId } from '../../kernel/vouchers/storage/usage-queries.ts';
import {
  insertVoucherUnlessTaken,
  type NewVoucher,
  toListed,
} from '../../kernel/vouchers/storage/voucher-queries.ts';
import type { Handle } from '../../platform/database/database.ts';
import { toWholeSeconds } from '../../platform/time/clock.ts';
import type { HandedOut, HandOut } from './stock.ts';

interface Recorded extends Omit<HandOut, 'name' | 'messages'>, TakenVoucher {
  /** Sealed before the rows of the screen and the stock are locked: see `Seal`. */
  sealedMessages?: SealedMessage[];
  /** The name of the record, with the date of the day. */
  storedName: string;
}

/**
 * Undefined if the voucher is already recorded, so that it cannot be handed out a second time. Call it last in the
 * transaction: it locks the row of the site, and other creations at the site wait for that lock.
 */
export async function recordHandedOut(
  transaction: Handle,
  { stocked, storedName, nowMs, ...order }: Recorded,
): Promise<HandedOut | undefined> {
  const { siteId, actor, ip, batchId } = order;
  const { code, maxUses, expireMinutes } = stocked;
  const voucher: NewVoucher = {
    siteId,
    actor,
    userId: order.userId,
    batchId: order.batchId,
    labels: order.labels,
    terms: order.terms,
    screenId: order.screenId,
    code,
    upstream: { ...stocked, name: storedName, usedCount: 0, createdAtMs: nowMs, firstUsedAtMs: null },
    consoleName: stocked.name,
    createdAtS: toWholeSeconds(nowMs),
  };
  if (await isRecordedWithoutId(transaction, siteId, stocked)) return undefined;
  const id = await insertVoucherUnlessTaken(transaction, voucher);
  if (id === undefined) return undefined;
  const siteName = await selectSiteName(transaction, siteId);
  await insertReadyMessages(transaction, id, order.sealedMessages ?? []);
  // The end of an open batch writes the audit entry and the notification for all its vouchers.
  if (batchId === undefined || !(await holdOpenBatch(transaction, batchId))) {
    await insertAuditEntry(transaction, {
      atMs: nowMs,
      actor,
      action: 'voucher.created',
      details: { voucher: String(id), ...siteDetails(siteId, siteName), name: storedName },
      ...(ip !== undefined && { ip }),
    });
    const source = toActorText(actor);
    await insertOutboxEvent(transaction, {
      eventId: randomUUID(),
      voucherCount: 1,
      siteName,
      source,
      occurredAtMs: nowMs,
    });
  }
  await raiseListVersion(transaction, siteId, toListed(voucher));
  return { id, code, siteName, maxUses, expireMinutes };
}
