// Queries for the request of a guest while the voucher for it is ordered.

import { toActorText } from '../../kernel/audit/actor.ts';
import { siteDetails } from '../../kernel/audit/audit-details.ts';
import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import { insertAuditEntry } from '../../kernel/audit/audit-queries.ts';
import { asGuestRequestId, asSiteId, type GuestRequestId, type VoucherId } from '../../kernel/ids.ts';
import type { OrderProblems } from '../../kernel/problem.ts';
import { selectSiteName } from '../../kernel/sites/site-queries.ts';
import type { PurposeSteps } from '../../kernel/vouchers/storage/purpose-steps.ts';
import type { Intent } from '../../kernel/vouchers/voucher-records.ts';
import type { Database, Handle } from '../../platform/database/database.ts';

declare module '../../kernel/vouchers/order-purpose.ts' {
  interface OrderPurposes {
    /** A user has approved the request of a guest. */
    request: { kind: 'request'; requestId: GuestRequestId };
  }
}

declare module '../../kernel/problem.ts' {
  interface OrderProblems {
    /** The request is decided, or another user is approving it at the moment. */
    'request-decided': { kind: 'request-decided' };
  }
}

export const requestPurpose: PurposeSteps = {
  toId: (purpose) => (purpose.kind === 'request' ? purpose.requestId : undefined),
  read: (kind, id) => (kind === 'request' ? { kind, requestId: asGuestRequestId(id) } : undefined),
  takePlace: async (transaction, { purpose, actor }) =>
    purpose?.kind === 'request' ? beginApproval(transaction, purpose.requestId, actor) : undefined,
  async fulfil(transaction, { purpose, actor, ip }, recorded) {
    if (purpose?.kind !== 'request') return;
    const { requestId } = purpose;
    await finishApproval(transaction, { requestId, actor, ...(ip !== undefined && { ip }), ...recorded });
  },
  async giveBack(transaction, { purpose }) {
    if (purpose?.kind === 'request') await undoApproval(transaction, purpose.requestId);
  },
};

/** Only one caller can begin: for all others, the request is decided. They are told who has begun. */
export async function beginApproval(
  transaction: Handle,
  requestId: GuestRequestId,
  actor: Intent['actor'],
): Promise<OrderProblems['request-decided'] | undefined> {
  const { numUpdatedRows } = await transaction
    .updateTable('guest_requests')
    .set({ state: 'approving', decided_by: toActorText(actor) })
    .where('id', '=', requestId)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return numUpdatedRows > 0n ? undefined : { kind: 'request-decided' };
}

interface Approval extends Pick<Database, 'now'>, Pick<AuditContext, 'actor' | 'ip'> {
  requestId: GuestRequestId;
  voucherId: VoucherId;
}

export async function finishApproval(
  transaction: Handle,
  { requestId, voucherId, actor, ip, now }: Approval,
): Promise<void> {
  const row = await transaction
    .updateTable('guest_requests')
    .set({
      state: 'approved',
      voucher_id: voucherId,
      decided_by: toActorText(actor),
      decided_at_ms: now(),
      network_hash: null,
    })
    .where('id', '=', requestId)
    .returning(['site_id', 'decided_at_ms'])
    .executeTakeFirst();
  if (!row) return;
  const siteId = asSiteId(row.site_id);
  const site = siteDetails(siteId, await selectSiteName(transaction, siteId));
  await insertAuditEntry(transaction, {
    actor,
    ...(ip !== undefined && { ip }),
    atMs: Number(row.decided_at_ms),
    action: 'request.approved',
    details: { ...site, request: String(requestId) },
  });
}

/** No voucher was created, so the request waits again. */
export async function undoApproval(transaction: Handle, requestId: GuestRequestId): Promise<void> {
  await transaction
    .updateTable('guest_requests')
    .set({ state: 'waiting', decided_by: null })
    .where('id', '=', requestId)
    .where('state', '=', 'approving')
    .execute();
}
