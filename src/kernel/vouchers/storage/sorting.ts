// The sort orders of voucher lists: by time or by name, ascending or descending. The same definition is used for the
// SQL queries and for merging the results of several sites.

import type { SearchMark, VoucherSort } from '../voucher-search.ts';

const MAX_SORT_KEY_LENGTH = 100;
const DIGITS_COUNTED = 8;

export interface SortRule {
  column: 'created_at_s' | 'name_order';
  direction: 'asc' | 'desc';
  /** The SQL operator that selects the vouchers after a mark. */
  beyond: '<' | '>';
  keyOf(mark: SearchMark): number | string;
  /** The mark is valid in this order only. */
  toMark(key: number | string, id: number): SearchMark;
  compare(one: SearchMark, other: SearchMark): number;
}

export function sortRuleOf(sort: VoucherSort = 'newest'): SortRule {
  const isByName = sort === 'name' || sort === 'name-back';
  const isBackwards = sort === 'newest' || sort === 'name-back';
  const way = isBackwards ? -1 : 1;
  return {
    column: isByName ? 'name_order' : 'created_at_s',
    direction: isBackwards ? 'desc' : 'asc',
    beyond: isBackwards ? '<' : '>',
    keyOf: (mark) => (isByName ? mark.nameSortKey : mark.createdAtS),
    toMark: (key, id) =>
      isByName
        ? { createdAtS: 0, nameSortKey: String(key), id }
        : { createdAtS: Number(key), nameSortKey: '', id },
    compare(one, other) {
      const byKey = isByName
        ? compareBytes(one.nameSortKey, other.nameSortKey)
        : one.createdAtS - other.createdAtS;
      return way * (byKey || one.id - other.id);
    },
  };
}

/** Compares as both engines do: UTF-8, byte by byte. */
function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/**
 * The sort key of a name, which needs no language-specific collation. It has no leading date, no upper case and no
 * accents. Its numbers are padded, so that 2 sorts before 12. It is truncated, because the size of an index entry is
 * limited.
 */
export function toNameSortKey(name: string): string {
  const key = fold(withoutDate(name));
  // An empty sort key means that the key has not been computed yet.
  return [...key].slice(0, MAX_SORT_KEY_LENGTH).join('') || ' ';
}

/** The name as users see it, without the date that precedes it on the controller. */
export function withoutDate(name: string): string {
  return name.replace(/^\d{4}-\d{2}-\d{2}_/, '');
}

/** The text without accents and in lower case. */
export function simplify(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

export function fold(text: string): string {
  return simplify(text).replace(/\d+/g, (digits) => digits.padStart(DIGITS_COUNTED, '0'));
}
