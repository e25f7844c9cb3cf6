// Parses `site_id` from a query string or a body. Returns undefined if the value is missing or not positive.

import { readInteger } from '../../platform/http/read-integer.ts';
import { asSiteId, type SiteId } from '../ids.ts';
import { MAX_INTEGER } from '../vouchers/voucher-order.ts';

/** No site has this id. It replaces numbers that are too large for a site id. */
const NO_SITE = asSiteId(0);

export function parseSiteId(value: unknown): SiteId | undefined {
  const number = readInteger(value);
  if (number === undefined || !(number > 0)) return undefined;
  return number > MAX_INTEGER ? NO_SITE : asSiteId(number);
}
