// Voucher search for the web interface. A text that few vouchers have is found through the search index. All other
// searches go through the vouchers in order: each page starts after the last voucher of the previous page, and a filter
// examines a limited number of vouchers at a time, so that no search delays other requests.

import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { compileOnce, type Placeholders } from '../../../platform/database/compiled-query.ts';
import type { Database, Handle } from '../../../platform/database/database.ts';
import { readActor } from '../../audit/actor.ts';
import { asBatchId, asProfileId, asSiteId, asVoucherId, type BatchId, type SiteId } from '../../ids.ts';
import { DEMO_KIND } from '../../sites/site.ts';
import {
  type BatchResults,
  type FoundVoucher,
  type FoundVouchers,
  MAX_COUNTED,
  MAX_SITES_BY_NAME,
  type ResultCount,
  type SearchMark,
  type VoucherSearch,
} from '../voucher-search.ts';
import { UNNEEDED } from './lost-queries.ts';
import { selectIdByCode } from './revocation-queries.ts';
import { conditionsOf, isCreatedIn, isOneOf, isReference } from './search-filter-queries.ts';
import { findByText } from './search-index-queries.ts';
import { type SortRule, sortRuleOf } from './sorting.ts';

/** The number of vouchers that a filter examines at a time, over all sites. */
const LOOKED_AT = 6_000;
/** Like LOOKED_AT, but for the order by name, in which the vouchers are scattered across the table. */
const LOOKED_AT_BY_NAME = 5_000;
/** If at most this many vouchers may have the text, all of them are looked up at once, whatever the order. */
const MAX_CANDIDATES = 3_000;
/** Like MAX_CANDIDATES, but for the vouchers of a time range, which lie close together in the table. */
const MAX_IN_RANGE = 10_000;
/**
 * Up to this many sites are searched one by one, each through the index of its vouchers. A search by time over more
 * sites reads the vouchers of all sites in the order of time.
 */
const MAX_ASKED_SINGLY = MAX_SITES_BY_NAME;

type Condition = Expression<SqlBool>;

interface Hits {
  marks: SearchMark[];
  lookedUntil?: SearchMark;
  count?: ResultCount;
}

type Searched = Pick<Database, 'read' | 'listOf'>;

export async function searchVouchers(database: Searched, search: VoucherSearch): Promise<FoundVouchers> {
  const { siteIds, id, limit, counts } = search;
  if (siteIds.length === 0) return { vouchers: [], ...(counts && { count: { found: 0, isComplete: true } }) };
  const rule = sortRuleOf(search.sort);
  if (id !== undefined) return { vouchers: await selectFound(database.read, [id], search) };
  const candidates = await findCandidates(database, search, rule);
  const hits = candidates
    ? await sortCandidates(database.read, candidates, { search, rule })
    : await lookSorted(database.read, search, rule);
  const shown = hits.marks.slice(0, limit);
  const ids = shown.map((mark) => mark.id);
  const vouchers = ids.length === 0 ? [] : await selectFound(database.read, ids, search);
  return {
    vouchers: vouchers.sort(rule.compare),
    ...(shown.length < limit && hits.lookedUntil && { lookedUntil: hits.lookedUntil }),
    ...(counts && hits.count && { count: hits.count }),
  };
}

export async function findVoucherByCode(
  handle: Handle,
  siteId: SiteId,
  code: string,
): Promise<FoundVoucher | undefined> {
  const id = await selectIdByCode(handle, siteId, code);
  return id && (await selectFound(handle, [id], { siteIds: [siteId] }))[0];
}

/** A condition that all results meet and that only a limited number of vouchers meet; undefined if there is none. */
async function findCandidates(
  { read, listOf }: Searched,
  search: VoucherSearch,
  rule: SortRule,
): Promise<Condition | undefined> {
  const { created, siteIds, batchId, reference } = search;
  const text = search.text ?? search.name;
  // A batch has at most a few hundred vouchers.
  if (batchId !== undefined) return sql<boolean>`vouchers.batch_id = ${batchId}`;
  if (reference !== undefined) {
    const hasReference = isReference(reference);
    if ((await countUpTo(read, hasReference, MAX_CANDIDATES + 1)) <= MAX_CANDIDATES) return hasReference;
  }
  if (text !== undefined) {
    const matches = [...conditionsOf(search), isOneOf(siteIds)];
    const ids = await findByText(read, { text, matches, limit: MAX_CANDIDATES });
    if (ids) return sql<boolean>`vouchers.id in ${listOf(ids)}`;
  }
  // In the order of time, an index already leads to the vouchers of a time range.
  if (!created || rule.column === 'created_at_s') return undefined;
  const isInRange = sql<boolean>`${isAtOneOf(siteIds)} and ${isCreatedIn(created)}`;
  return (await countUpTo(read, isInRange, MAX_IN_RANGE + 1)) > MAX_IN_RANGE ? undefined : isInRange;
}

async function sortCandidates(
  handle: Handle,
  isCandidate: Condition,
  { search, rule }: { search: VoucherSearch; rule: SortRule },
): Promise<Hits> {
  let query = handle
    .selectFrom('vouchers')
    .select((eb) => [
      'vouchers.id',
      eb.ref(rule.column).as('key'),
      eb.fn.countAll<number>().over().as('total'),
    ])
    .where(isCandidate)
    .where(isOneOf(search.siteIds));
  for (const condition of [...conditionsOf(search), ...isAfter(rule, search.after)])
    query = query.where(condition);
  const rows = await query
    .orderBy(rule.column, rule.direction)
    .orderBy('vouchers.id', rule.direction)
    .limit(search.limit)
    .execute();
  return {
    marks: rows.map(({ key, id }) => rule.toMark(key, id)),
    count: { found: Math.min(rows[0]?.total ?? 0, MAX_COUNTED + 1), isComplete: true },
  };
}

async function lookSorted(handle: Handle, search: VoucherSearch, rule: SortRule): Promise<Hits> {
  const { siteIds, limit, counts, created } = search;
  const isByTime = rule.column === 'created_at_s';
  const isOneQuery = isByTime && siteIds.length > MAX_ASKED_SINGLY;
  const places = isOneQuery
    ? [isOneOf(siteIds)]
    : siteIds.map((siteId) => sql<boolean>`vouchers.site_id = ${siteId}`);
  const range = isByTime && created ? [isCreatedIn(created)] : [];
  const bounds = [...range, ...isAfter(rule, search.after)];
  const conditions = conditionsOf(isByTime ? withoutCreated(search) : search);
  const toMarks = (rows: { key: string | number; id: number }[]) =>
    rows.map(({ key, id }) => rule.toMark(key, id)).sort(rule.compare);

  /**
   * Skips the first `offset` vouchers of each place and returns the marks of the next `limit`, sorted over all places.
   * A place is one site, or all sites together. Reads only columns of the index, not the table itself.
   */
  async function marksOfPlaces(rows: { offset: number; limit: number }): Promise<SearchMark[]> {
    const [first, ...others] = places.map((place) => {
      const sorted = marksWhere(handle, rule, [place, ...bounds])
        .offset(rows.offset)
        .limit(rows.limit);
      return handle.selectFrom(sorted.as('vouchers')).select(['id', 'key']);
    });
    return toMarks((await first?.unionAll(others).execute()) ?? []);
  }

  if (conditions.length === 0) {
    const marks = await marksOfPlaces({ offset: 0, limit });
    if (!counts) return { marks };
    const isWanted = sql<boolean>`${sql.join([isAtOneOf(siteIds), ...range], sql` and `)}`;
    return { marks, count: toCount(await countUpTo(handle, isWanted, MAX_COUNTED + 1), true) };
  }
  const allowed = Math.ceil((isByTime ? LOOKED_AT : LOOKED_AT_BY_NAME) / places.length);
  // The place that reaches `allowed` vouchers first ends this page. Vouchers after `lookedUntil` are for the next page.
  const [lookedUntil] = await marksOfPlaces({ offset: allowed - 1, limit: 1 });
  // Use one query for all places. With one query per place, PostgreSQL would read the vouchers of all places each time.
  const isThere = isOneQuery ? isOneOf(siteIds) : isAtOneOf(siteIds);
  const isLookedAt = [isThere, ...bounds, ...isUpTo(rule, lookedUntil), ...conditions];
  const hits = marksWhere(handle, rule, isLookedAt).limit(counts ? Math.max(limit, MAX_COUNTED + 1) : limit);
  const marks = toMarks(await hits.execute());
  return { marks, ...(lookedUntil && { lookedUntil }), count: toCount(marks.length, !lookedUntil) };
}

/** The vouchers that meet all conditions, in order. */
function marksWhere(handle: Handle, rule: SortRule, conditions: Condition[]) {
  let query = handle
    .selectFrom('vouchers')
    .select((eb) => ['vouchers.id', eb.ref(`vouchers.${rule.column}`).as('key')]);
  for (const condition of conditions) query = query.where(condition);
  return query.orderBy(`vouchers.${rule.column}`, rule.direction).orderBy('vouchers.id', rule.direction);
}

function toCount(found: number, isComplete: boolean): ResultCount {
  return { found: Math.min(found, MAX_COUNTED + 1), isComplete };
}

function withoutCreated({ created: _, ...search }: VoucherSearch): VoucherSearch {
  return search;
}

function isAfter({ column, beyond, keyOf }: SortRule, after: SearchMark | undefined): Condition[] {
  if (!after) return [];
  const [key, ref] = [keyOf(after), sql.ref(`vouchers.${column}`)];
  const [from, past] = [sql.raw(`${beyond}=`), sql.raw(beyond)];
  return [
    sql<boolean>`(${ref} ${from} ${key} and (${ref} ${past} ${key} or vouchers.id ${past} ${after.id}))`,
  ];
}

/** The vouchers up to and including the mark. */
function isUpTo({ column, beyond, keyOf }: SortRule, mark: SearchMark | undefined): Condition[] {
  if (!mark) return [];
  const [key, ref] = [keyOf(mark), sql.ref(`vouchers.${column}`)];
  const before = sql.raw(beyond === '<' ? '>' : '<');
  return [
    sql<boolean>`(${ref} ${before}= ${key} and (${ref} ${before} ${key} or vouchers.id ${before}= ${mark.id}))`,
  ];
}

/** Unlike `isOneOf`, allows the use of an index by site. */
function isAtOneOf(siteIds: SiteId[]): Condition {
  return sql<boolean>`vouchers.site_id in (${sql.join(siteIds)})`;
}

async function countUpTo(handle: Handle, condition: Condition, limit: number): Promise<number> {
  const counted = handle.selectFrom('vouchers').select('vouchers.id').where(condition).limit(limit);
  const row = await handle
    .selectFrom(counted.as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function countInBatches(
  handle: Handle,
  search: VoucherSearch,
  batchIds: BatchId[],
): Promise<BatchResults[]> {
  if (batchIds.length === 0) return [];
  const count = (condition: RawBuilder<unknown>) =>
    sql<number>`cast(sum(case when ${condition} then 1 else 0 end) as bigint)`;
  const [isNext] = isAfter(sortRuleOf(search.sort), search.after);
  let query = handle
    .selectFrom('vouchers')
    .select((eb) => [
      sql<string>`vouchers.batch_id`.as('id'),
      eb.fn.countAll<number>().as('vouchers'),
      count(sql`used_count > 0 or first_used_at_s is not null`).as('used'),
      count(sql`ended_at_s is null and (ends_at_s is null or ends_at_s > ${search.nowS})`).as('open'),
      count(isNext ? sql`not ${isNext}` : sql`1 = 0`).as('earlier'),
    ])
    .where('vouchers.batch_id', 'in', batchIds)
    .where(isOneOf(search.siteIds));
  for (const condition of conditionsOf(search)) query = query.where(condition);
  const rows = await query.groupBy('vouchers.batch_id').execute();
  return rows.map(({ id, earlier, ...counts }) => ({
    id: asBatchId(id),
    ...counts,
    isOnEarlierPage: earlier > 0,
  }));
}

const CONTROLLER_KIND = sql<string>`sites.controller_kind`.as('controller_kind');

function foundRows(handle: Handle) {
  return handle
    .selectFrom('vouchers')
    .innerJoin('sites', 'sites.id', 'vouchers.site_id')
    .leftJoin('users', 'users.id', 'vouchers.owner_user_id')
    .leftJoin('batches', 'batches.id', 'vouchers.batch_id')
    .selectAll('vouchers')
    .select(['sites.name as site_name', 'sites.time_zone', CONTROLLER_KIND])
    .select(['batches.wanted', 'users.name as owner_name']);
}

function compileById() {
  return compileOnce((handle: Handle, ...vouchers: Placeholders<{ id: number }>[]) =>
    foundRows(handle).where(
      'vouchers.id',
      'in',
      vouchers.map(({ id }) => id),
    ),
  );
}

/** The query that finds vouchers by their ids, for each number of ids. */
const byIds = new Map<number, ReturnType<typeof compileById>>();

async function selectFound(
  handle: Handle,
  ids: number[],
  { siteIds }: Pick<VoucherSearch, 'siteIds'>,
): Promise<FoundVoucher[]> {
  // Repeat the first id until the number of ids is a power of two, so that few queries are compiled.
  const count = 2 ** Math.ceil(Math.log2(ids.length));
  const run = byIds.get(count) ?? compileById();
  byIds.set(count, run);
  const { rows } = await run(
    handle,
    ...Array.from({ length: count }, (_, i) => ({ id: ids[i] ?? Number(ids[0]) })),
  );
  const own = new Set(siteIds);
  return rows.map(toFound).filter(({ siteId }) => own.has(siteId));
}

type Row = Awaited<ReturnType<ReturnType<typeof foundRows>['execute']>>[number];

function toFound(row: Row): FoundVoucher {
  return {
    id: asVoucherId(row.id),
    siteId: asSiteId(row.site_id),
    siteName: row.site_name,
    siteTimeZone: row.time_zone,
    isDemo: row.controller_kind === DEMO_KIND,
    ownerName: row.owner_name,
    createdBy: row.source === null ? null : readActor(row.source, row.actor_id),
    nameSortKey: row.name_order,
    batchId: row.batch_id === null ? null : asBatchId(row.batch_id),
    batchSize: row.wanted ?? 1,
    controllerVoucherId: row.controller_voucher_id,
    consoleName: row.console_name,
    revokedAtS: row.revoked_at_s,
    revokedBy: row.revoked_by === null ? null : readActor(row.revoked_by, null),
    replacedBy: toReplacedBy(row.replaced_by),
    successorId: row.successor_id === null ? null : asVoucherId(row.successor_id),
    reference: row.reference,
    note: row.note,
    profileId: row.profile_id === null ? null : asProfileId(row.profile_id),
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
    endsAtS: row.ends_at_s,
  };
}

function toReplacedBy(stored: string | null): FoundVoucher['replacedBy'] {
  if (stored === null) return null;
  return stored === UNNEEDED ? 'unneeded' : asBatchId(stored);
}
