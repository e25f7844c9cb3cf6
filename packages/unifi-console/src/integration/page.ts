// One page of a list in the official API: reads the requested range and formats the page.

import { fail, ok, type Result } from '../result.ts';
import { outOfBounds, type Refusal, typeMismatch } from './refusal.ts';

export interface PageRequest {
  offset: number;
  /** The requested number of items, reduced to the maximum that the list allows. */
  limit: number;
}

export function readPage(
  query: URLSearchParams,
  limits: { usual: number; most: number },
): Result<PageRequest, Refusal> {
  const offset = readNumber(query.get('offset'), 0);
  const limit = readNumber(query.get('limit'), limits.usual);
  if (offset === undefined) return fail(typeMismatch('offset'));
  if (limit === undefined) return fail(typeMismatch('limit'));
  if (offset < 0) return fail(outOfBounds('offset must be greater than or equal to 0'));
  if (limit < 0) return fail(outOfBounds('limit must be greater than or equal to 0'));
  return ok({ offset, limit: Math.min(limit, limits.most) });
}

export function presentPage<Item>(
  items: Item[],
  { offset, limit }: PageRequest,
  present: (item: Item) => object,
) {
  const data = items.slice(offset, offset + limit).map(present);
  return { offset, limit, count: data.length, totalCount: items.length, data };
}

function readNumber(text: string | null, otherwise: number): number | undefined {
  if (text === null || text === '') return otherwise;
  return /^-?\d{1,10}$/.test(text) ? Number(text) : undefined;
}
