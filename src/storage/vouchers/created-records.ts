// What is stored about a created voucher besides the voucher: the notification, the audit entry and the response for
// repeated requests.

import { randomUUID } from 'node:crypto';
import { toActorText } from '../../domain/audit/actor.ts';
import { toWholeSeconds } from '../../domain/clock.ts';
import type { UpstreamVoucher } from '../../domain/controller.ts';
import type { CreatedVoucher, Intent } from '../../domain/vouchers/voucher-store.ts';
import { type AuditEntry, siteInAudit } from '../audit/queries.ts';
import type { OutboxEvent } from '../webhooks/outbox-queries.ts';
import type { NewVoucher } from './queries.ts';

export function toNewVoucher(intent: Intent, upstream: UpstreamVoucher, code: string): NewVoucher {
  const { siteId, userId, batchId, actor, createdAtMs } = intent;
  return { siteId, userId, batchId, actor, code, upstream, createdAtS: toWholeSeconds(createdAtMs) };
}

export function toCreated({ siteName, order }: Intent, code: string): CreatedVoucher {
  return { code, siteName, maxUses: order.maxUses, expireMinutes: order.expireMinutes };
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

/** The subject of the entry begins with the voucher's id, which is known once the voucher is stored. */
export function toEntry({ siteId, siteName, order, actor, createdAtMs, ip }: Intent): AuditEntry {
  return {
    atMs: createdAtMs,
    actor,
    action: 'voucher.created',
    subject: ` of ${siteInAudit(siteId, siteName)}: ${order.name}`,
    ...(ip !== undefined && { ip }),
  };
}
