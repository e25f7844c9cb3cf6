// What is stored about a created voucher besides the voucher: the notification, the audit entry and the response for
// repeated requests.

import { randomUUID } from 'node:crypto';
import { toWholeSeconds } from '../../../platform/time/clock.ts';
import { toActorText } from '../../audit/actor.ts';
import { siteDetails } from '../../audit/audit-details.ts';
import type { AuditEntry } from '../../audit/audit-log.ts';
import type { UpstreamVoucher } from '../../controllers/controller.ts';
import type { ScreenId } from '../../ids.ts';
import type { OutboxEvent } from '../../messages/outbox-queries.ts';
import type { CreatedVoucher, Intent } from '../voucher-records.ts';
import type { NewVoucher } from './voucher-queries.ts';

/** @param screenId the screen that the voucher counts for */
export function toNewVoucher(
  intent: Intent,
  upstream: UpstreamVoucher,
  code: string,
  screenId?: ScreenId,
): NewVoucher {
  const { siteId, userId, batchId, actor, createdAtMs, endsAtS, labels, terms } = intent;
  const createdAtS = toWholeSeconds(createdAtMs);
  return { siteId, userId, batchId, actor, code, upstream, createdAtS, endsAtS, labels, terms, screenId };
}

/** The response that is stored for repeated requests. The id of the voucher has a column of its own. */
export function toResponse({ siteName, order, endsAtS }: Intent, code: string): CreatedVoucher {
  const { maxUses, expireMinutes } = order;
  return { code, siteName, maxUses, expireMinutes, ...(endsAtS !== undefined && { endsAtS }) };
}

export function toEvent({ siteName, actor, createdAtMs }: Intent, voucherCount = 1): OutboxEvent {
  return {
    eventId: randomUUID(),
    voucherCount,
    siteName,
    source: toActorText(actor),
    occurredAtMs: createdAtMs,
  };
}

export function toEntry(
  { siteId, siteName, order, actor, createdAtMs, ip }: Intent,
  voucher: string,
): AuditEntry<'voucher.created'> {
  return {
    atMs: createdAtMs,
    actor,
    action: 'voucher.created',
    details: { voucher, ...siteDetails(siteId, siteName), name: order.name },
    ...(ip !== undefined && { ip }),
  };
}
