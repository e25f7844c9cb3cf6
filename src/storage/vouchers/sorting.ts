// The orders in which vouchers are listed: by time or by name, each from either end, told alike to the database
// and to whoever puts the answers of several sites together.

import type { SearchMark, VoucherSort } from '../../domain/vouchers/voucher-search.ts';

const MAX_SORT_KEY_LENGTH = 100;
const DIGITS_COUNTED = 8;

export interface Order {
  column: 'created_at_s' | 'name_order';
  direction: 'asc' | 'desc';
  /** What lies after a mark. */
  beyond: '<' | '>';
  keyOf(mark: SearchMark): number | string;
  /** Good in this order only. */
  toMark(key: number | string, id: number): SearchMark;
  compare(one: SearchMark, other: SearchMark): number;
}

export function orderOf(sort: VoucherSort = 'newest'): Order {
  const isByName = sort === 'name' || sort === 'name-back';
  const isBackwards = sort === 'newest' || sort === 'name-back';
  const way = isBackwards ? -1 : 1;
  return {
    column: isByName ? 'name_order' : 'created_at_s',
    direction: isBackwards ? 'desc' : 'asc',
    beyond: isBackwards ? '<' : '>',
    keyOf: (mark) => (isByName ? mark.nameOrder : mark.createdAtS),
    toMark: (key, id) =>
      isByName
        ? { createdAtS: 0, nameOrder: String(key), id }
        : { createdAtS: Number(key), nameOrder: '', id },
    compare(one, other) {
      const byKey = isByName
        ? compareBytes(one.nameOrder, other.nameOrder)
        : one.createdAtS - other.createdAtS;
      return way * (byKey || one.id - other.id);
    },
  };
}

/** As both engines do it: UTF-8, byte by byte. */
function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/**
 * A name as people look it up, in an order that needs no rules of a language: without the date before it, without
 * case and accents, and 2 before 12. Cut off, because indexes take no row of any length.
 */
export function toNameOrder(name: string): string {
  const key = fold(name.replace(/^\d{4}-\d{2}-\d{2}_/, ''));
  // Nothing at all means that there is none yet.
  return [...key].slice(0, MAX_SORT_KEY_LENGTH).join('') || ' ';
}

export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\d+/g, (digits) => digits.padStart(DIGITS_COUNTED, '0'));
}
