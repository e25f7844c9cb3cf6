// The conditions of the voucher search as SQL: text, state, sites and time of creation. They work for every query that
// reads the table `vouchers`, or a subquery of that name.

import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { BatchId, SiteId } from '../../ids.ts';
import { type SearchedState, type TimeRange, toCodePart, type VoucherSearch } from '../voucher-search.ts';
import { fold } from './sorting.ts';

type Condition = Expression<SqlBool>;

/** The conditions on the voucher itself; the sites are left out. */
export function conditionsOf(search: VoucherSearch): Condition[] {
  const { text, name, reference, state, nowS, created, notOfBatches } = search;
  return [
    ...(reference === undefined ? [] : [isReference(reference)]),
    ...(notOfBatches ? [isNotOf(notOfBatches)] : []),
    ...(state ? [isIn(state, nowS)] : []),
    ...(created ? [isCreatedIn(created)] : []),
    ...(name === undefined ? [] : [isInName(name)]),
    ...(text === undefined ? [] : [hasText(text)]),
  ];
}

function isNotOf(batches: BatchId[]): Condition {
  return sql<boolean>`coalesce(vouchers.batch_id, '') not in (${sql.join(batches)})`;
}

/** `+ 0` prevents the use of an index by site, which is slower if nearly all sites are wanted. */
export function isOneOf(siteIds: SiteId[]): Condition {
  return sql<boolean>`(vouchers.site_id + 0) in (${sql.join(siteIds)})`;
}

export function isCreatedIn({ fromS, beforeS }: TimeRange): Condition {
  return beforeS === undefined
    ? sql<boolean>`vouchers.created_at_s >= ${fromS}`
    : sql<boolean>`vouchers.created_at_s >= ${fromS} and vouchers.created_at_s < ${beforeS}`;
}

function hasText(text: string): Condition {
  const part = toCodePart(text);
  if (part === undefined) return sql<boolean>`(${isInName(text)} or ${isInReference(text)})`;
  const code = isDigits(part) ? sql`vouchers.code` : sql`lower(vouchers.code)`;
  return sql<boolean>`(${code} like ${`%${part}%`} or ${isInName(text)} or ${isInReference(text)})`;
}

export function isReference(reference: string): Condition {
  return sql<boolean>`vouchers.reference = ${reference}`;
}

/** Ignores the case, on SQLite only that of ASCII letters. */
function isInReference(text: string): Condition {
  return sql<boolean>`(vouchers.reference like ${toPart(text)} escape '\\' or lower(vouchers.reference) like ${toPart(text.toLowerCase())} escape '\\')`;
}

/** A pattern for texts that contain `wanted`. */
function toPart(wanted: string): string {
  return `%${wanted.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

const isDigits = (text: string) => /^\d+$/.test(text);

/**
 * Ignores case. SQLite's `lower` changes only ASCII letters; the sort key of the name covers the other letters. Digits
 * alone are not searched in the sort key, because its numbers are padded with zeros.
 */
function isInName(text: string): Condition {
  const typed = text.toLowerCase();
  // A text that begins with one of these characters could match the date in the name, which pages do not show.
  const name = /^[\d_-]/.test(text) ? withoutDate : sql`vouchers.name`;
  if (isDigits(text)) return sql<boolean>`${name} like ${toPart(typed)}`;
  const [inSortKey, inName] = [toPart(fold(text) || typed), toPart(typed)];
  return sql<boolean>`(vouchers.name_order like ${inSortKey} escape '\\' or lower(${name}) like ${inName} escape '\\')`;
}

const withoutDate = sql`case when vouchers.name like '____-__-__\\_%' escape '\\' then substr(vouchers.name, 12) else vouchers.name end`;

/** Must follow the same rules as `stateOf`. Conditions that are checked quickly come first. */
export function isIn(state: SearchedState, nowS: number | RawBuilder<number>): Condition {
  if (state === 'revoked') return sql<boolean>`revoked_at_s is not null`;
  const isOver = sql`(first_used_at_s + expire_minutes * 60 <= coalesce(ended_at_s, ${nowS})
    or ended_at_s = created_at_s + expire_minutes * 60 or ends_at_s <= coalesce(ended_at_s, ${nowS}) or ends_at_s <= ${nowS}) is true`;
  if (state === 'expired') return sql<boolean>`revoked_at_s is null and ${isOver}`;
  if (state === 'deleted')
    return sql<boolean>`ended_at_s is not null and revoked_at_s is null and not ${isOver}`;
  if (state === 'open') return sql<boolean>`ended_at_s is null and not ${isOver}`;
  const isUsed = sql`(used_count > 0 or first_used_at_s is not null)`;
  // The minutes of an unused voucher have not begun, so only an end of its own can have passed.
  if (state === 'unused')
    return sql<boolean>`ended_at_s is null and not ${isUsed} and (ends_at_s is null or ends_at_s > ${nowS})`;
  if (state === 'running') return sql<boolean>`ended_at_s is null and ${isUsed} and not ${isOver}`;
  const isUsedUp = sql`(max_uses > 0 and used_count >= max_uses)`;
  return state === 'used-up'
    ? sql<boolean>`ended_at_s is null and ${isUsedUp} and not ${isOver}`
    : sql<boolean>`ended_at_s is null and ${isUsed} and not ${isUsedUp} and not ${isOver}`;
}
