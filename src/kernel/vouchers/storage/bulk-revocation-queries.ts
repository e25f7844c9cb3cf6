// Queries for bulk revocations and for the outcome of each of their vouchers.

import { type RawBuilder, sql } from 'kysely';
import { slicesOf } from '../../../platform/concurrency/slices.ts';
import { compileOnce } from '../../../platform/database/compiled-query.ts';
import type { Handle } from '../../../platform/database/database.ts';
import { readKnown, UNKNOWN } from '../../../platform/values/unknown-value.ts';
import { type ControllerFailure, publishedCause, readCause } from '../../controllers/controller.ts';
import {
  asBatchId,
  asBulkRevocationId,
  asSiteId,
  asUserId,
  asVoucherId,
  type BulkRevocationId,
  type SiteId,
  type UserId,
  type VoucherId,
} from '../../ids.ts';
import { ROLES } from '../../users/user.ts';
import {
  type AwaitingVoucher,
  BULK_REVOCATION_OUTCOMES,
  type BulkRevocation,
  type BulkRevocationOutcome,
  type BulkRevocationTally,
  type NewBulkRevocation,
  type ReportedVoucher,
} from '../bulk-revocation.ts';
import { voucherColumns } from './voucher-queries.ts';

/** Keeps a statement below the number of parameters that an engine accepts. */
const ROWS_PER_INSERT = 500;

export async function insertBulkRevocation(handle: Handle, revocation: NewBulkRevocation): Promise<void> {
  const { id, userId, ip, vouchers, batchId, onlyUnused, createdAtMs } = revocation;
  await handle
    .insertInto('bulk_revocations')
    .values({
      id,
      user_id: userId,
      address: ip,
      site_ids: [...new Set(vouchers.map(({ siteId }) => siteId))].join(','),
      batch_id: batchId,
      only_unused: onlyUnused ? 1 : 0,
      created_at_ms: createdAtMs,
    })
    .execute();
  const rows = vouchers.map((voucher) => ({
    revocation_id: id,
    voucher_id: voucher.id,
    site_id: voucher.siteId,
  }));
  for (const slice of slicesOf(rows, ROWS_PER_INSERT))
    await handle.insertInto('bulk_revocation_vouchers').values(slice).execute();
}

export async function selectBulkRevocation(
  handle: Handle,
  by: { id: string } | { batchId: string },
): Promise<BulkRevocation | undefined> {
  const query = handle
    .selectFrom('bulk_revocations')
    .innerJoin('users', 'users.id', 'bulk_revocations.user_id')
    .selectAll('bulk_revocations')
    .select(['users.name as user_name', 'users.role', 'users.active']);
  const row = await ('id' in by
    ? query.where('bulk_revocations.id', '=', by.id)
    : query.where('batch_id', '=', by.batchId).orderBy('bulk_revocations.created_at_ms', 'desc').limit(1)
  ).executeTakeFirst();
  if (!row) return undefined;
  return {
    id: asBulkRevocationId(row.id),
    user: {
      id: asUserId(row.user_id),
      name: row.user_name,
      role: readKnown(ROLES, row.role),
      active: row.active === 1,
    },
    ip: row.address,
    siteIds: row.site_ids.split(',').map((id) => asSiteId(Number(id))),
    batchId: row.batch_id === null ? null : asBatchId(row.batch_id),
    onlyUnused: row.only_unused === 1,
    createdAtMs: row.created_at_ms,
    endedAtMs: row.ended_at_ms,
  };
}

const open = compileOnce((handle: Handle) =>
  handle
    .selectFrom('bulk_revocations')
    .select('id')
    .where('ended_at_ms', 'is', null)
    .orderBy('created_at_ms'),
);

export async function selectOpenBulkRevocations(handle: Handle): Promise<BulkRevocationId[]> {
  return (await open(handle)).rows.map(({ id }) => asBulkRevocationId(id));
}

export async function countOutcomes(handle: Handle, id: BulkRevocationId): Promise<BulkRevocationTally> {
  const countIf = (condition: RawBuilder<unknown>) =>
    sql<number>`cast(coalesce(sum(case when ${condition} then 1 else 0 end), 0) as bigint)`;
  const counted = (outcome: BulkRevocationOutcome) => countIf(sql`outcome = ${outcome}`).as(outcome);
  const row = await handle
    .selectFrom('bulk_revocation_vouchers')
    .select([counted('failed'), counted('used'), counted('ended'), counted('revoked')])
    .select(countIf(sql`outcome is null`).as('awaiting'))
    .select(countIf(sql`outcome not in (${sql.join([...BULK_REVOCATION_OUTCOMES])})`).as(UNKNOWN))
    .where('revocation_id', '=', id)
    .executeTakeFirstOrThrow();
  return { ...row };
}

export async function selectAwaiting(
  handle: Handle,
  id: BulkRevocationId,
  { siteId, limit }: { siteId: SiteId; limit: number },
): Promise<AwaitingVoucher[]> {
  const awaiting = await handle
    .selectFrom('bulk_revocation_vouchers')
    .select('voucher_id')
    .where('revocation_id', '=', id)
    .where('site_id', '=', siteId)
    .where('outcome', 'is', null)
    .orderBy('voucher_id')
    .limit(limit)
    .execute();
  if (awaiting.length === 0) return [];
  const ids = awaiting.map(({ voucher_id }) => voucher_id);
  const rows = await handle
    .selectFrom('vouchers')
    .select(['id', 'controller_voucher_id as controllerVoucherId', 'revoked_at_s as revokedAtS'])
    .select(voucherColumns)
    .where('id', 'in', ids)
    .execute();
  return ids.map((voucherId) => {
    const id = asVoucherId(voucherId);
    const row = rows.find((one) => one.id === voucherId);
    return { id, current: row && { ...row, id, siteId } };
  });
}

/**
 * Sets the outcome of one voucher, or of all vouchers of a site. The first outcome counts: a process that lost its
 * lease must not overwrite it.
 */
export async function updateOutcome(
  handle: Handle,
  id: BulkRevocationId,
  of: { voucherId: VoucherId } | { siteId: SiteId },
  { outcome, failure }: { outcome: BulkRevocationOutcome; failure?: ControllerFailure },
): Promise<void> {
  await handle
    .updateTable('bulk_revocation_vouchers')
    .set({
      outcome,
      problem: failure?.text ?? null,
      cause: failure?.cause ? publishedCause(failure.cause) : null,
    })
    .where('revocation_id', '=', id)
    .where((eb) => ('siteId' in of ? eb('site_id', '=', of.siteId) : eb('voucher_id', '=', of.voucherId)))
    .where('outcome', 'is', null)
    .execute();
}

export async function markBulkRevocationEnded(
  handle: Handle,
  id: BulkRevocationId,
  atMs: number,
): Promise<void> {
  await handle
    .updateTable('bulk_revocations')
    .set({ ended_at_ms: atMs })
    .where('id', '=', id)
    .where('ended_at_ms', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('bulk_revocation_vouchers')
            .select('voucher_id')
            .where('revocation_id', '=', id)
            .where('outcome', 'is', null),
        ),
      ),
    )
    .execute();
}

export async function reopenFailed(
  handle: Handle,
  id: BulkRevocationId,
  { userId, ip }: { userId: UserId; ip: string },
): Promise<boolean> {
  const isFailed = handle
    .selectFrom('bulk_revocation_vouchers')
    .select('voucher_id')
    .where('revocation_id', '=', id)
    .where('outcome', '=', 'failed');
  // Update this row first, so that the second of two concurrent requests finds the bulk revocation in progress.
  const reopened = await handle
    .updateTable('bulk_revocations')
    .set({ ended_at_ms: null, user_id: userId, address: ip })
    .where('id', '=', id)
    .where('ended_at_ms', 'is not', null)
    .where(({ exists }) => exists(isFailed))
    .executeTakeFirst();
  if (reopened.numUpdatedRows === 0n) return false;
  await handle
    .updateTable('bulk_revocation_vouchers')
    .set({ outcome: null, problem: null, cause: null })
    .where('revocation_id', '=', id)
    .where('outcome', '=', 'failed')
    .execute();
  return true;
}

export async function selectReport(
  handle: Handle,
  id: BulkRevocationId,
  { outcome, afterId, limit }: { outcome: BulkRevocationOutcome; afterId: number; limit: number },
): Promise<ReportedVoucher[]> {
  const rows = await handle
    .selectFrom('bulk_revocation_vouchers as reported')
    .leftJoin('vouchers', 'vouchers.id', 'reported.voucher_id')
    .leftJoin('sites', 'sites.id', 'reported.site_id')
    .select(['reported.voucher_id', 'reported.site_id', 'reported.problem', 'reported.cause'])
    .select(['vouchers.code', 'vouchers.name', 'sites.name as site_name'])
    .where('reported.revocation_id', '=', id)
    .where('reported.outcome', '=', outcome)
    .where('reported.voucher_id', '>', afterId)
    .orderBy('reported.voucher_id')
    .limit(limit)
    .execute();
  return rows.map(({ voucher_id, code, name, site_id, site_name, problem, cause }) => ({
    id: asVoucherId(voucher_id),
    voucher: code === null || name === null ? undefined : { code, name },
    siteId: asSiteId(site_id),
    siteName: site_name ?? '',
    problem,
    cause: readCause(cause),
  }));
}

export async function deleteOldBulkRevocations(handle: Handle, beforeMs: number): Promise<void> {
  await handle.deleteFrom('bulk_revocations').where('ended_at_ms', '<', beforeMs).execute();
}
