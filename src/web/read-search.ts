// What somebody looks for among the vouchers, read from the address: text, site, state.

import { asSiteId } from '../domain/ids.ts';
import type { Site } from '../domain/sites/site.ts';
import type { VoucherStatus } from '../domain/vouchers/voucher.ts';
import type { VoucherSearch } from '../domain/vouchers/voucher-search.ts';
import type { UserVisit } from './visit.ts';

const LONGEST_SEARCH = 100;
export const STATES: VoucherStatus[] = ['valid', 'used', 'expired'];

export interface SearchWish {
  text: string;
  chosen: Site | undefined;
  status: VoucherStatus | undefined;
  search: Omit<VoucherSearch, 'atMost'>;
}

export function readSearch({ query, nowMs }: UserVisit, sites: Site[]): SearchWish {
  const chosen = sites.find(({ id }) => id === asSiteId(Number(query.get('site'))));
  const status = STATES.find((state) => state === query.get('state'));
  const text = (query.get('q') ?? '').trim().slice(0, LONGEST_SEARCH);
  const search = {
    siteIds: (chosen ? [chosen] : sites).map(({ id }) => id),
    ...(text !== '' && { text }),
    ...(status && { status }),
    nowS: Math.floor(nowMs / 1000),
  };
  return { text, chosen, status, search };
}
