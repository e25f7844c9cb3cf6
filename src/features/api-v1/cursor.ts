// The cursor of a list: the position of the last voucher that was looked at, as text that clients need not understand.

import type { SearchMark } from '../../kernel/vouchers/voucher-search.ts';

export function toCursor({ createdAtS, id }: Pick<SearchMark, 'createdAtS' | 'id'>): string {
  return Buffer.from(`${createdAtS}.${id}`).toString('base64url');
}

export function readCursor(cursor: string): SearchMark | undefined {
  const [, seconds, id] =
    /^(-?\d{1,12})\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (seconds === undefined) return undefined;
  // The list is sorted by time, so that the name has no part in the position.
  return { createdAtS: Number(seconds), id: Number(id), nameSortKey: '' };
}
