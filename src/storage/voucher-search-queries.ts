// Finding vouchers for the web interface. Pages go by the last voucher shown, so the hundredth page costs no
// more than the first.

import { type Expression, type SqlBool, sql } from 'kysely';
import { asBatchId, asSiteId, asVoucherId } from '../domain/ids.ts';
import type { VoucherStatus } from '../domain/vouchers/voucher.ts';
import { type FoundVoucher, toCodePrefix, type VoucherSearch } from '../domain/vouchers/voucher-search.ts';
import type { Handle } from './database.ts';

/** Sorts after every digit. */
const AFTER_DIGITS = ':';

export async function searchVouchers(handle: Handle, search: VoucherSearch): Promise<FoundVoucher[]> {
  const { siteIds, id, text, status, after, atMost, nowS } = search;
  if (siteIds.length === 0) return [];
  let query = handle
    .selectFrom('vouchers')
    .innerJoin('sites', 'sites.id', 'vouchers.site_id')
    .leftJoin('users', 'users.id', 'vouchers.owner_user_id')
    .select([
      'vouchers.id',
      'vouchers.site_id',
      'code',
      'vouchers.name',
      'max_uses as maxUses',
      'expire_minutes as expireMinutes',
      'down_kbps as downKbps',
      'up_kbps as upKbps',
      'quota_mb as quotaMb',
      'used_count as usedCount',
      'created_at_s as createdAtS',
      'first_used_at_s as firstUsedAtS',
      'ended_at_s as endedAtS',
      'sites.name as siteName',
      'users.name as ownerName',
      'batch_id',
      'controller_voucher_id as controllerVoucherId',
    ])
    .where('site_id', 'in', siteIds)
    .orderBy('created_at_s', 'desc')
    .orderBy('vouchers.id', 'desc')
    .limit(atMost);
  if (id !== undefined) query = query.where('vouchers.id', '=', id);
  if (text) query = query.where(matches(text));
  if (status) query = query.where(isIn(status, nowS));
  if (after)
    query = query.where((eb) =>
      eb.or([
        eb('created_at_s', '<', after.createdAtS),
        eb.and([eb('created_at_s', '=', after.createdAtS), eb('vouchers.id', '<', after.id)]),
      ]),
    );
  const rows = await query.execute();
  return rows.map(({ id, site_id, batch_id, ...voucher }) => ({
    ...voucher,
    id: asVoucherId(id),
    siteId: asSiteId(site_id),
    batchId: batch_id === null ? null : asBatchId(batch_id),
  }));
}

/** What is typed may be the beginning of a code, or any part of a name. */
function matches(text: string): Expression<SqlBool> {
  const part = `%${text.toLowerCase().replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
  const inName = sql<boolean>`lower(vouchers.name) like ${part} escape '\\'`;
  const code = toCodePrefix(text);
  return code === undefined
    ? inName
    : sql<boolean>`(code >= ${code} and code < ${code + AFTER_DIGITS} or ${inName})`;
}

function isIn(status: VoucherStatus, nowS: number): Expression<SqlBool> {
  const expired = sql`(ended_at_s is not null or coalesce(first_used_at_s + expire_minutes * 60 <= ${sql.lit(nowS)}, ${sql.lit(false)}))`;
  const usedUp = sql`(max_uses > 0 and used_count >= max_uses)`;
  if (status === 'expired') return sql<boolean>`${expired}`;
  return status === 'used'
    ? sql<boolean>`not ${expired} and ${usedUp}`
    : sql<boolean>`not ${expired} and not ${usedUp}`;
}
