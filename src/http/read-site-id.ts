// Parses `site_id` from a query string or a body. Returns undefined if the value is missing or not positive.

import { asSiteId, type SiteId } from '../domain/ids.ts';
import { MAX_INTEGER } from '../domain/vouchers/voucher-order.ts';
import { readInteger } from './read-integer.ts';

/** No site has this id. It replaces numbers that are too large for a site id. */
const NO_SITE = asSiteId(0);

export function parseSiteId(value: unknown): SiteId | undefined {
  const number = readInteger(value);
  if (number === undefined || !(number > 0)) return undefined;
  return number > MAX_INTEGER ? NO_SITE : asSiteId(number);
}
