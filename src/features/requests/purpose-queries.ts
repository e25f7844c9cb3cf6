// Queries for the request of a guest while the voucher for it is ordered.

import { toActorText } from '../../kernel/audit/actor.ts';
import { siteDetails } from '../../kernel/audit/audit-details.ts';
import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import { insertAuditEntry } from '../../kernel/audit/audit-queries.ts';
import { asSiteId, type GuestRequestId, type VoucherId } from '../../kernel/ids.ts';
import { selectSiteName } from '../../kernel/sites/site-queries.ts';
import type { PurposeProblem } from '../../kernel/vouchers/order-purpose.ts';
import type { Intent } from '../../kernel/vouchers/voucher-records.ts';
import type { Database, Handle } from '../../platform/database/database.ts';

/** Only one caller can begin: for all others, the request is decided. They are told who has begun. */
export async function beginApproval(
  transaction: Handle,
  requestId: GuestRequestId,
  actor: Intent['actor'],
): Promise<PurposeProblem | undefined> {
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
