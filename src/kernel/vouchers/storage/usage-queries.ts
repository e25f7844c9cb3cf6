// Queries for usage sync: which vouchers a controller should list, what is recorded about them, and what changed.

import { type RawBuilder, sql } from 'kysely';
import { slicesOf } from '../../../platform/concurrency/slices.ts';
import { compileOnce, type Placeholders } from '../../../platform/database/compiled-query.ts';
import type { Handle } from '../../../platform/database/database.ts';
import { toWholeSeconds } from '../../../platform/time/clock.ts';
import { CONTROLLER } from '../../audit/actor.ts';
import type { UpstreamVoucher } from '../../controllers/controller.ts';
import { asVoucherId, type SiteId, type VoucherId } from '../../ids.ts';
import { toForeignName } from '../foreign-name.ts';
import type { KnownVoucher, UsageChange } from '../usage-records.ts';
import { insertVouchersUnlessTaken, type NewVoucher } from './voucher-queries.ts';

/** Ids per query. A shorter list is padded with its first id, so that all queries use the same statement. */
export const IDS_PER_QUERY = 200;

export async function selectNewestVoucherId(handle: Handle): Promise<VoucherId> {
  const row = await handle
    .selectFrom('vouchers')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return asVoucherId(row?.id ?? 0);
}

/** Whether a voucher of this site was created after this one, by Gastpass itself. */
export async function hasOwnVoucherAfter(handle: Handle, siteId: SiteId, afterId: number): Promise<boolean> {
  const row = await handle
    .selectFrom('vouchers')
    .select('id')
    .where('site_id', '=', siteId)
    .where('missing_since_s', 'is', null)
    .where('id', '>', afterId)
    .where('source', '<>', CONTROLLER.name)
    // A voucher from the stock was made before it was handed out, so it does not show that the controller works.
    .where('console_name', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function selectKnownVouchers(
  handle: Handle,
  siteId: SiteId,
  controllerVoucherIds: string[],
): Promise<KnownVoucher[]> {
  const known: KnownVoucher[] = [];
  for (const asked of slicesOf(controllerVoucherIds, IDS_PER_QUERY)) {
    const filling = new Array(IDS_PER_QUERY - asked.length).fill(asked[0]);
    const rows = await usageOf(handle, siteId)
      .where('controller_voucher_id', 'in', [...asked, ...filling])
      .execute();
    known.push(...rows.map(toKnown));
  }
  return known;
}

const expected = compileOnce(
  (handle: Handle, input: Placeholders<{ siteId: SiteId; afterId: VoucherId; limit: number }>) =>
    usageOf(handle, input.siteId)
      .where('missing_since_s', 'is', null)
      .where('id', '>', input.afterId)
      .where('controller_voucher_id', 'is not', null)
      .orderBy('id')
      .limit(input.limit),
);

export async function selectExpectedVouchers(
  handle: Handle,
  siteId: SiteId,
  chunk: { afterId: VoucherId; limit: number },
): Promise<KnownVoucher[]> {
  return (await expected(handle, { siteId, ...chunk })).rows.map(toKnown);
}

const SAMPLE_AT_EACH_END = 10;

/**
 * Selects only vouchers that guests can still use, because a controller may have deleted the others. Some are from the
 * stock: a new site may have no others.
 */
export async function selectSampleOfExpected(
  handle: Handle,
  siteId: SiteId,
  nowMs: RawBuilder<number>,
): Promise<string[]> {
  const valid = handle
    .selectFrom('vouchers')
    .select('controller_voucher_id')
    .where('site_id', '=', siteId)
    .where('missing_since_s', 'is', null)
    .where('ended_at_s', 'is', null)
    .where(
      sql<boolean>`(first_used_at_s is null or (first_used_at_s + expire_minutes * 60) * 1000.0 > ${nowMs})`,
    )
    .where(sql<boolean>`(ends_at_s is null or ends_at_s * 1000.0 > ${nowMs})`)
    .where(sql<boolean>`(max_uses = 0 or used_count < max_uses)`)
    .where('controller_voucher_id', 'is not', null)
    .limit(SAMPLE_AT_EACH_END);
  const ends = [await valid.orderBy('id', 'desc').execute(), await valid.orderBy('id').execute()];
  const stocked = await handle
    .selectFrom('stock')
    .select('controller_voucher_id')
    .where('site_id', '=', siteId)
    .where('state', '=', 'ready')
    .orderBy('id', 'desc')
    .limit(SAMPLE_AT_EACH_END)
    .execute();
  const ids = [...ends.flat(), ...stocked].map((row) => row.controller_voucher_id);
  return [...new Set(ids)].filter((id) => id !== null);
}

const update = compileOnce(
  (handle: Handle, change: Placeholders<UsageChange & Record<string, number | null>>) =>
    handle
      .updateTable('vouchers')
      .set({
        used_count: change.usedCount,
        first_used_at_s: change.firstUsedAtS,
        // A revoked voucher stays revoked, although the controller may list it for a moment longer.
        ended_at_s: sql`case when revoked_at_s is null then ${change.endedAtS} else ended_at_s end`,
        // A voucher that is back raises the alarm again if it is lost once more.
        replaced_by: sql`case when cast(${change.endedAtS} as bigint) is null then null else replaced_by end`,
        missing_since_s: change.missingSinceS,
      })
      .where('id', '=', change.id),
);

export async function updateUsage(handle: Handle, change: UsageChange): Promise<void> {
  await update(handle, { ...change });
}

export function idsOf(vouchers: UpstreamVoucher[]): string[] {
  return vouchers.map(({ controllerVoucherId }) => controllerVoucherId).filter((id) => id !== null);
}

/**
 * Skips vouchers that are already recorded, and vouchers without a code that a guest could enter. Returns the number of
 * new vouchers.
 */
export function insertForeignVouchers(
  handle: Handle,
  siteId: SiteId,
  listed: UpstreamVoucher[],
): Promise<number> {
  const vouchers: NewVoucher[] = [];
  for (const upstream of listed) {
    const { code, createdAtMs } = upstream;
    if (code === null) continue;
    const named = { ...upstream, name: toForeignName(upstream.name) };
    vouchers.push({
      siteId,
      actor: CONTROLLER,
      code,
      upstream: named,
      createdAtS: toWholeSeconds(createdAtMs),
    });
  }
  return insertVouchersUnlessTaken(handle, vouchers);
}

/** Of the codes of the listed vouchers, those that are recorded for a voucher without an id from the controller. */
export async function selectCodesWithoutId(
  handle: Handle,
  siteId: SiteId,
  listed: UpstreamVoucher[],
): Promise<Set<string>> {
  const codes = listed.map(({ code }) => code).filter((code) => code !== null);
  if (codes.length === 0) return new Set();
  const rows = await handle
    .selectFrom('vouchers')
    .select('code')
    .where('site_id', '=', siteId)
    .where('code', 'in', codes)
    .where('controller_voucher_id', 'is', null)
    .execute();
  return new Set(rows.map(({ code }) => code));
}

/**
 * Whether a voucher without an id from the controller is recorded. Its record may have got the id since, so only the
 * code is compared.
 */
export async function isRecordedWithoutId(
  handle: Handle,
  siteId: SiteId,
  { code, controllerVoucherId }: { code: string; controllerVoucherId: string | null },
): Promise<boolean> {
  if (controllerVoucherId !== null) return false;
  const row = await handle
    .selectFrom('vouchers')
    .select('id')
    .where('site_id', '=', siteId)
    .where('code', '=', code)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const adopt = compileOnce(
  (handle: Handle, input: Placeholders<{ siteId: SiteId; code: string; controllerVoucherId: string }>) =>
    handle
      .updateTable('vouchers')
      .set({ controller_voucher_id: input.controllerVoucherId })
      .where('site_id', '=', input.siteId)
      .where('code', '=', input.code)
      .where('controller_voucher_id', 'is', null)
      .returning('id'),
);

/**
 * A voucher that was moved in may have no id from the controller. It gets the id of the listed voucher with the same
 * code. Returns the listed vouchers that match no such voucher.
 */
export async function adoptByCode(
  handle: Handle,
  siteId: SiteId,
  listed: UpstreamVoucher[],
): Promise<UpstreamVoucher[]> {
  const lacking = await handle
    .selectFrom('vouchers')
    .select('id')
    .where('site_id', '=', siteId)
    .where('controller_voucher_id', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (!lacking) return listed;
  const others: UpstreamVoucher[] = [];
  for (const voucher of listed) {
    const { code, controllerVoucherId } = voucher;
    const { rows } =
      code === null || controllerVoucherId === null
        ? { rows: [] }
        : await adopt(handle, { siteId, code, controllerVoucherId });
    if (rows.length === 0) others.push(voucher);
  }
  return others;
}

function usageOf(handle: Handle, siteId: SiteId | RawBuilder<SiteId>) {
  return handle
    .selectFrom('vouchers')
    .select([
      'id',
      'controller_voucher_id',
      'max_uses',
      'expire_minutes',
      'created_at_s',
      'used_count',
      'first_used_at_s',
      'ended_at_s',
      'missing_since_s',
      'ends_at_s',
    ])
    .where('site_id', '=', siteId);
}

function toKnown(row: Awaited<ReturnType<ReturnType<typeof usageOf>['execute']>>[number]): KnownVoucher {
  return {
    id: asVoucherId(row.id),
    controllerVoucherId: row.controller_voucher_id ?? '',
    maxUses: row.max_uses,
    expireMinutes: row.expire_minutes,
    createdAtS: row.created_at_s,
    usedCount: row.used_count,
    firstUsedAtS: row.first_used_at_s,
    endedAtS: row.ended_at_s,
    missingSinceS: row.missing_since_s,
    endsAtS: row.ends_at_s,
  };
}
