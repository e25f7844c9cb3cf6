// Finding vouchers for the web interface. Pages go by the last voucher shown, so the hundredth page costs no
// more than the first; and a filter looks at so many vouchers at a time, so no search holds up the others.

import { type Expression, type SqlBool, sql } from 'kysely';
import { asBatchId, asSiteId, asVoucherId, type SiteId } from '../domain/ids.ts';
import type { VoucherStatus } from '../domain/vouchers/voucher.ts';
import {
  type FoundVoucher,
  type FoundVouchers,
  type SearchMark,
  toCodePrefix,
  type VoucherSearch,
} from '../domain/vouchers/voucher-search.ts';
import type { Handle } from './database.ts';

/** Sorts after every digit. */
const AFTER_DIGITS = ':';
/** A filter looks no further than this at a time, over all sites. */
const LOOKED_AT = 20_000;
/** So many sites are asked one by one, each by its own index; of more, all are asked at once. */
const MOST_ASKED_SINGLY = 20;

type Place = SiteId | SiteId[];

export async function searchVouchers(handle: Handle, search: VoucherSearch): Promise<FoundVouchers> {
  const { siteIds, atMost, text } = search;
  const places: Place[] = siteIds.length > MOST_ASKED_SINGLY ? [siteIds] : siteIds;
  const found = [];
  const lookAt = Math.ceil(LOOKED_AT / Math.max(1, places.length));
  for (const place of places) found.push(await searchIn(handle, { place, lookAt }, search));
  // What is older than where one of them stopped comes with the next page.
  const lookedUntil = found.map((one) => one.lookedUntil).reduce(newer, undefined);
  const vouchers = found
    .flatMap((one) => one.vouchers)
    .filter((voucher) => !lookedUntil || !isBefore(voucher, lookedUntil));
  const code = text === undefined || search.after ? undefined : toCodePrefix(text);
  if (code !== undefined && siteIds.length > 0) vouchers.push(...(await searchByCode(handle, code, search)));
  const shown = [...new Map(vouchers.map((voucher) => [voucher.id, voucher])).values()]
    .sort((one, other) => other.createdAtS - one.createdAtS || other.id - one.id)
    .slice(0, atMost);
  return shown.length < atMost && lookedUntil ? { vouchers: shown, lookedUntil } : { vouchers: shown };
}

async function searchIn(
  handle: Handle,
  { place, lookAt }: { place: Place; lookAt: number },
  search: VoucherSearch,
): Promise<FoundVouchers> {
  const { id, text, status, nowS, atMost } = search;
  const isFiltered = text !== undefined || status !== undefined;
  let inner = newest(handle, place, search.after).selectAll('vouchers');
  if (id !== undefined) inner = inner.where('vouchers.id', '=', id);
  let query = joined(handle, inner.limit(isFiltered ? lookAt : atMost).as('vouchers')).limit(atMost);
  if (text !== undefined) query = query.where(isInName(text));
  if (status) query = query.where(isIn(status, nowS));
  const vouchers = (await query.execute()).map(toFound);
  if (!isFiltered || vouchers.length === atMost) return { vouchers };
  const last = await newest(handle, place, search.after)
    .select(['created_at_s', 'vouchers.id'])
    .offset(lookAt - 1)
    .limit(1)
    .executeTakeFirst();
  return last ? { vouchers, lookedUntil: { createdAtS: last.created_at_s, id: last.id } } : { vouchers };
}

async function searchByCode(handle: Handle, code: string, search: VoucherSearch): Promise<FoundVoucher[]> {
  const { siteIds, status, nowS, atMost } = search;
  const inner = handle
    .selectFrom('vouchers')
    .selectAll()
    .where('code', '>=', code)
    .where('code', '<', code + AFTER_DIGITS)
    .where(isOneOf(siteIds))
    .limit(LOOKED_AT)
    .as('vouchers');
  let query = joined(handle, inner).limit(atMost);
  if (status) query = query.where(isIn(status, nowS));
  return (await query.execute()).map(toFound);
}

/** The vouchers of a site, or of many, from the newest on. */
function newest(handle: Handle, place: Place, after: SearchMark | undefined) {
  const query = handle
    .selectFrom('vouchers')
    .where(Array.isArray(place) ? isOneOf(place) : sql<boolean>`site_id = ${place}`)
    .orderBy('created_at_s', 'desc')
    .orderBy('vouchers.id', 'desc');
  if (!after) return query;
  return query.where((eb) =>
    eb.and([
      eb('created_at_s', '<=', after.createdAtS),
      eb.or([eb('created_at_s', '<', after.createdAtS), eb('vouchers.id', '<', after.id)]),
    ]),
  );
}

/** By the order of time, and not by the index of sites: nearly all of them are wanted. */
function isOneOf(siteIds: SiteId[]): Expression<SqlBool> {
  return sql<boolean>`(site_id + 0) in (${sql.join(siteIds)})`;
}

function joined(handle: Handle, vouchers: ReturnType<ReturnType<typeof newestRows>['as']>) {
  return handle
    .selectFrom(vouchers)
    .innerJoin('sites', 'sites.id', 'vouchers.site_id')
    .leftJoin('users', 'users.id', 'vouchers.owner_user_id')
    .selectAll('vouchers')
    .select(['sites.name as site_name', 'users.name as owner_name'])
    .orderBy('vouchers.created_at_s', 'desc')
    .orderBy('vouchers.id', 'desc');
}

const newestRows = (handle: Handle) => handle.selectFrom('vouchers').selectAll('vouchers');

type Row = Awaited<ReturnType<ReturnType<typeof joined>['execute']>>[number];

function toFound(row: Row): FoundVoucher {
  return {
    id: asVoucherId(row.id),
    siteId: asSiteId(row.site_id),
    siteName: row.site_name,
    ownerName: row.owner_name,
    batchId: row.batch_id === null ? null : asBatchId(row.batch_id),
    controllerVoucherId: row.controller_voucher_id,
    revokedAtS: row.revoked_at_s,
    code: row.code,
    name: row.name,
    maxUses: row.max_uses,
    expireMinutes: row.expire_minutes,
    downKbps: row.down_kbps,
    upKbps: row.up_kbps,
    quotaMb: row.quota_mb,
    usedCount: row.used_count,
    createdAtS: row.created_at_s,
    firstUsedAtS: row.first_used_at_s,
    endedAtS: row.ended_at_s,
  };
}

function isInName(text: string): Expression<SqlBool> {
  const part = `%${text.toLowerCase().replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
  return sql<boolean>`lower(vouchers.name) like ${part} escape '\\'`;
}

export function isIn(status: VoucherStatus, nowS: number): Expression<SqlBool> {
  const expired = sql`(ended_at_s is not null or coalesce(first_used_at_s + expire_minutes * 60 <= ${sql.lit(nowS)}, ${sql.lit(false)}))`;
  const usedUp = sql`(max_uses > 0 and used_count >= max_uses)`;
  if (status === 'expired') return sql<boolean>`${expired}`;
  return status === 'used'
    ? sql<boolean>`not ${expired} and ${usedUp}`
    : sql<boolean>`not ${expired} and not ${usedUp}`;
}

function isBefore({ createdAtS, id }: SearchMark, mark: SearchMark): boolean {
  return createdAtS < mark.createdAtS || (createdAtS === mark.createdAtS && id < mark.id);
}

function newer(one: SearchMark | undefined, other: SearchMark | undefined): SearchMark | undefined {
  if (!one || !other) return one ?? other;
  return isBefore(one, other) ? other : one;
}
