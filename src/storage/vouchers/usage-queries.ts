// Queries for usage sync: which vouchers a controller should list, what is recorded about them, and what changed.

import { sql } from 'kysely';
import { CONTROLLER } from '../../domain/audit/actor.ts';
import { toWholeSeconds } from '../../domain/clock.ts';
import type { UpstreamVoucher } from '../../domain/controller.ts';
import { asVoucherId, type SiteId, type VoucherId } from '../../domain/ids.ts';
import type { KnownVoucher, UsageChange } from '../../domain/vouchers/usage-store.ts';
import type { Handle } from '../database.ts';
import { insertVoucherUnlessTaken } from './queries.ts';

/** Ids per query. A shorter list is padded with its first id, so that all queries use the same statement. */
export const IDS_PER_QUESTION = 200;

export async function selectNewestVoucherId(handle: Handle): Promise<VoucherId> {
  const row = await handle
    .selectFrom('vouchers')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return asVoucherId(row?.id ?? 0);
}

export async function selectKnownVouchers(
  handle: Handle,
  siteId: SiteId,
  controllerVoucherIds: string[],
): Promise<KnownVoucher[]> {
  const known: KnownVoucher[] = [];
  for (let start = 0; start < controllerVoucherIds.length; start += IDS_PER_QUESTION) {
    const asked = controllerVoucherIds.slice(start, start + IDS_PER_QUESTION);
    const filling = new Array(IDS_PER_QUESTION - asked.length).fill(asked[0]);
    const rows = await usageOf(handle, siteId)
      .where('controller_voucher_id', 'in', [...asked, ...filling])
      .execute();
    known.push(...rows.map(toKnown));
  }
  return known;
}

export async function selectExpectedVouchers(
  handle: Handle,
  siteId: SiteId,
  { afterId, limit }: { afterId: VoucherId; limit: number },
): Promise<KnownVoucher[]> {
  const rows = await usageOf(handle, siteId)
    .where('missing_since_s', 'is', null)
    .where('id', '>', afterId)
    .where('controller_voucher_id', 'is not', null)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(toKnown);
}

export async function updateUsage(handle: Handle, change: UsageChange): Promise<void> {
  await handle
    .updateTable('vouchers')
    .set({
      used_count: change.usedCount,
      first_used_at_s: change.firstUsedAtS,
      // A revoked voucher stays revoked, although the controller may list it for a moment longer.
      ended_at_s: sql`case when revoked_at_s is null then ${change.endedAtS} else ended_at_s end`,
      missing_since_s: change.missingSinceS,
    })
    .where('id', '=', change.id)
    .execute();
}

/** False if the voucher is already recorded or has no code that a guest could enter. */
export async function insertForeignVoucher(
  handle: Handle,
  siteId: SiteId,
  upstream: UpstreamVoucher,
): Promise<boolean> {
  if (upstream.code === null) return false;
  const id = await insertVoucherUnlessTaken(handle, {
    siteId,
    actor: CONTROLLER,
    code: upstream.code,
    upstream,
    createdAtS: toWholeSeconds(upstream.createdAtMs),
  });
  return id !== undefined;
}

function usageOf(handle: Handle, siteId: SiteId) {
  return handle
    .selectFrom('vouchers')
    .select([
      'id',
      'controller_voucher_id',
      'max_uses',
      'created_at_s',
      'used_count',
      'first_used_at_s',
      'ended_at_s',
      'missing_since_s',
    ])
    .where('site_id', '=', siteId);
}

function toKnown(row: Awaited<ReturnType<ReturnType<typeof usageOf>['execute']>>[number]): KnownVoucher {
  return {
    id: asVoucherId(row.id),
    controllerVoucherId: row.controller_voucher_id ?? '',
    maxUses: row.max_uses,
    createdAtS: row.created_at_s,
    usedCount: row.used_count,
    firstUsedAtS: row.first_used_at_s,
    endedAtS: row.ended_at_s,
    missingSinceS: row.missing_since_s,
  };
}
