// Voucher search for the web interface. Each page starts after the last voucher of the previous page, so the hundredth
// page costs no more than the first. A filter examines a limited number of vouchers at a time, so that a search does
// not delay other requests.

import { type Expression, type SqlBool, sql } from 'kysely';
import { readActor } from '../../domain/audit/actor.ts';
import { asBatchId, asSiteId, asVoucherId, type BatchId, type SiteId } from '../../domain/ids.ts';
import { isDemo } from '../../domain/sites/site.ts';
import {
  type FoundVoucher,
  type FoundVouchers,
  MAX_SITES_BY_NAME,
  toCodePrefix,
  type VoucherSearch,
} from '../../domain/vouchers/voucher-search.ts';
import type { VoucherState } from '../../domain/vouchers/voucher-state.ts';
import type { Handle } from '../database.ts';
import { fold, type Order, orderOf } from './sorting.ts';

/** Sorts after every digit. */
const AFTER_DIGITS = ':';
/** The number of vouchers that a filter examines at a time, over all sites. */
const LOOKED_AT = 6_000;
/** The same limit for the order by name, in which the vouchers are scattered across the table. */
const LOOKED_AT_BY_NAME = 5_000;
/** A filter first examines this many times the page size, which is enough to fill a page for most filters. */
const FIRST_LOOK = 4;
/**
 * Up to this many sites are queried one at a time, each through the index of its vouchers. A search by time over more
 * sites is one query in order of time.
 */
const MAX_ASKED_SINGLY = MAX_SITES_BY_NAME;

type Place = SiteId | SiteId[];

export async function searchVouchers(handle: Handle, search: VoucherSearch): Promise<FoundVouchers> {
  const { siteIds, limit, text } = search;
  const order = orderOf(search.sort);
  if (search.batchId !== undefined) return searchBatch(handle, search.batchId, { ...search, order });
  const isByTime = order.column === 'created_at_s';
  const places: Place[] = isByTime && siteIds.length > MAX_ASKED_SINGLY ? [siteIds] : siteIds;
  const found = [];
  const lookAt = Math.ceil((isByTime ? LOOKED_AT : LOOKED_AT_BY_NAME) / Math.max(1, places.length));
  for (const place of places) found.push(await searchIn(handle, { place, lookAt, order }, search));
  // The first query that stopped early limits this page. Vouchers after that mark belong to the next page.
  const [lookedUntil] = found
    .map((one) => one.lookedUntil)
    .filter((mark) => mark !== undefined)
    .sort(order.compare);
  const vouchers = found
    .flatMap((one) => one.vouchers)
    .filter((voucher) => !lookedUntil || order.compare(voucher, lookedUntil) <= 0);
  const code = text === undefined || search.after ? undefined : toCodePrefix(text);
  if (code !== undefined && siteIds.length > 0)
    vouchers.push(...(await searchByCode(handle, code, { ...search, order })));
  const shown = [...new Map(vouchers.map((voucher) => [voucher.id, voucher])).values()]
    .sort(order.compare)
    .slice(0, limit);
  return shown.length < limit && lookedUntil ? { vouchers: shown, lookedUntil } : { vouchers: shown };
}

async function searchIn(
  handle: Handle,
  { place, lookAt, order }: { place: Place; lookAt: number; order: Order },
  search: VoucherSearch,
): Promise<FoundVouchers> {
  const { id, text, state, nowS, limit } = search;
  const isFiltered = text !== undefined || state !== undefined;
  let inner = inOrder(handle, { place, order, after: search.after }).selectAll('vouchers');
  if (id !== undefined) inner = inner.where('vouchers.id', '=', id);
  let vouchers: FoundVoucher[] = [];
  for (const rows of isFiltered ? [Math.min(FIRST_LOOK * limit, lookAt), lookAt] : [limit]) {
    let query = joined(handle, inner.limit(rows).as('vouchers'), order).limit(limit);
    if (text !== undefined) query = query.where(isInName(text));
    if (state) query = query.where(isIn(state, nowS));
    vouchers = (await query.execute()).map(toFound);
    if (!isFiltered || vouchers.length === limit) return { vouchers };
  }
  // Select only columns of the index, so that the table itself is not read.
  const last = await inOrder(handle, { place, order, after: search.after })
    .select((eb) => [eb.ref(order.column).as('key'), 'vouchers.id'])
    .offset(lookAt - 1)
    .limit(1)
    .executeTakeFirst();
  return last ? { vouchers, lookedUntil: order.toMark(last.key, last.id) } : { vouchers };
}

/** A batch has at most a few hundred vouchers, which are found through an index. */
async function searchBatch(
  handle: Handle,
  batchId: BatchId,
  { siteIds, state, nowS, limit, after, order }: VoucherSearch & { order: Order },
): Promise<FoundVouchers> {
  if (siteIds.length === 0) return { vouchers: [] };
  const inner = handle
    .selectFrom('vouchers')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where(isOneOf(siteIds))
    .as('vouchers');
  let query = joined(handle, inner, order);
  if (state) query = query.where(isIn(state, nowS));
  const vouchers = (await query.execute()).map(toFound);
  return { vouchers: vouchers.filter((one) => !after || order.compare(one, after) > 0).slice(0, limit) };
}

async function searchByCode(
  handle: Handle,
  code: string,
  search: VoucherSearch & { order: Order },
): Promise<FoundVoucher[]> {
  const { siteIds, state, nowS, limit, order } = search;
  const inner = handle
    .selectFrom('vouchers')
    .selectAll()
    .where('code', '>=', code)
    .where('code', '<', code + AFTER_DIGITS)
    .where(isOneOf(siteIds))
    .limit(LOOKED_AT)
    .as('vouchers');
  let query = joined(handle, inner, order).limit(limit);
  if (state) query = query.where(isIn(state, nowS));
  return (await query.execute()).map(toFound);
}

interface Stretch {
  place: Place;
  order: Order;
  after: VoucherSearch['after'];
}

/** The vouchers of one or several sites in order, from the start or after a mark. */
function inOrder(handle: Handle, { place, order, after }: Stretch) {
  const { column, direction, beyond } = order;
  const query = handle
    .selectFrom('vouchers')
    .where(Array.isArray(place) ? isOneOf(place) : sql<boolean>`site_id = ${place}`)
    .orderBy(column, direction)
    .orderBy('vouchers.id', direction);
  if (!after) return query;
  const key = order.keyOf(after);
  return query.where((eb) =>
    eb.and([
      eb(column, `${beyond}=`, key),
      eb.or([eb(column, beyond, key), eb('vouchers.id', beyond, after.id)]),
    ]),
  );
}

/** `+ 0` prevents the use of an index by site, which is slower here because nearly all sites are wanted. */
function isOneOf(siteIds: SiteId[]): Expression<SqlBool> {
  return sql<boolean>`(site_id + 0) in (${sql.join(siteIds)})`;
}

type Inner = ReturnType<ReturnType<typeof allRows>['as']>;

const CONTROLLER_KIND = sql<string>`sites.controller_kind`.as('controller_kind');

function joined(handle: Handle, vouchers: Inner, { column, direction }: Order) {
  return handle
    .selectFrom(vouchers)
    .innerJoin('sites', 'sites.id', 'vouchers.site_id')
    .leftJoin('users', 'users.id', 'vouchers.owner_user_id')
    .selectAll('vouchers')
    .select(['sites.name as site_name', 'users.name as owner_name', CONTROLLER_KIND])
    .orderBy(`vouchers.${column}`, direction)
    .orderBy('vouchers.id', direction);
}

const allRows = (handle: Handle) => handle.selectFrom('vouchers').selectAll('vouchers');

type Row = Awaited<ReturnType<ReturnType<typeof joined>['execute']>>[number];

function toFound(row: Row): FoundVoucher {
  return {
    id: asVoucherId(row.id),
    siteId: asSiteId(row.site_id),
    siteName: row.site_name,
    isDemo: isDemo({ controllerKind: row.controller_kind }),
    ownerName: row.owner_name,
    createdBy: row.source === null ? null : readActor(row.source, row.actor_id),
    nameOrder: row.name_order,
    batchId: row.batch_id === null ? null : asBatchId(row.batch_id),
    controllerVoucherId: row.controller_voucher_id,
    revokedAtS: row.revoked_at_s,
    revokedBy: row.revoked_by === null ? null : readActor(row.revoked_by, null),
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

/** Ignores case. SQLite's `lower` changes only ASCII letters; the sort key of the name covers the other letters. */
function isInName(text: string): Expression<SqlBool> {
  const part = (wanted: string) => `%${wanted.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
  const typed = text.toLowerCase();
  return sql<boolean>`(lower(vouchers.name) like ${part(typed)} escape '\\' or vouchers.name_order like ${part(fold(text) || typed)} escape '\\')`;
}

/** The same rules as `stateOf`. */
export function isIn(state: VoucherState, nowS: number): Expression<SqlBool> {
  if (state === 'revoked') return sql<boolean>`revoked_at_s is not null`;
  const isOver = sql`coalesce(first_used_at_s + expire_minutes * 60 <= coalesce(ended_at_s, ${nowS}), ${sql.lit(false)})`;
  if (state === 'expired') return sql<boolean>`revoked_at_s is null and ${isOver}`;
  if (state === 'deleted')
    return sql<boolean>`revoked_at_s is null and ended_at_s is not null and not ${isOver}`;
  const isOpen = sql`ended_at_s is null and not ${isOver}`;
  const isUsedUp = sql`(max_uses > 0 and used_count >= max_uses)`;
  if (state === 'used-up') return sql<boolean>`${isOpen} and ${isUsedUp}`;
  const isUsed = sql`(used_count > 0 or first_used_at_s is not null)`;
  return state === 'in-use'
    ? sql<boolean>`${isOpen} and not ${isUsedUp} and ${isUsed}`
    : sql<boolean>`${isOpen} and not ${isUsedUp} and not ${isUsed}`;
}
