// Reads the voucher search from the query string: text, site, state, time of creation, sort order, and the position at
// which the page of results starts.

import { readSearchText } from '../../../platform/pages/search-text.ts';
import { asSiteId } from '../../ids.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import type { Site } from '../../sites/site.ts';
import { CREATED_PERIODS, type CreatedPeriod, rangeOf } from '../created-period.ts';
import {
  MAX_SITES_BY_NAME,
  type SearchMark,
  type VoucherSearch,
  type VoucherSort,
} from '../voucher-search.ts';
import { VOUCHER_STATES, type VoucherState } from '../voucher-state.ts';

const MAX_SEARCH_LENGTH = 100;
const BY_TIME: VoucherSort[] = ['newest', 'oldest'];
const BY_NAME: VoucherSort[] = ['name', 'name-back'];

export interface SearchInput {
  text: string;
  chosen: Site | undefined;
  state: VoucherState | undefined;
  period: CreatedPeriod | undefined;
  sort: VoucherSort;
  canGoByName: boolean;
  /** True if the user has entered a text or chosen a site, a state or a period. */
  isFiltered: boolean;
  search: Omit<VoucherSearch, 'limit'>;
}

export function readSearch(context: AuthenticatedContext, sites: Site[]): SearchInput {
  const { query, nowMs, nowS, timeZone } = context;
  const chosen = sites.find(({ id }) => id === asSiteId(Number(query.get('site'))));
  const state = VOUCHER_STATES.find((one) => one === query.get('state'));
  const period = CREATED_PERIODS.find((one) => one === query.get('created'));
  const text = readSearchText(query, 'q', MAX_SEARCH_LENGTH);
  const siteIds = (chosen ? [chosen] : sites).map(({ id }) => id);
  const canGoByName = siteIds.length <= MAX_SITES_BY_NAME;
  const sorts = canGoByName ? [...BY_TIME, ...BY_NAME] : BY_TIME;
  const sort = sorts.find((order) => order === query.get('sort')) ?? 'newest';
  const search = {
    siteIds,
    ...(text !== '' && { text }),
    // The page lists the vouchers that the overview counts as in use.
    ...(state && { state: state === 'in-use' ? ('running' as const) : state }),
    ...(period && { created: rangeOf(period, nowMs, timeZone) }),
    sort,
    nowS,
  };
  const isFiltered = [text || undefined, state, period, chosen].some((filter) => filter !== undefined);
  return { text, chosen, state, period, sort, canGoByName, isFiltered, search };
}

/** Writes the position at which the next page starts, as `time.id` or, if sorted by name, as `time.id.name`. */
export function writeMark({ createdAtS, id, nameSortKey }: SearchMark, sort: VoucherSort): string {
  return [createdAtS, id, ...(BY_NAME.includes(sort) ? [nameSortKey] : [])].join('.');
}

export function readMark(text: string | null): SearchMark | undefined {
  const [, createdAtS, id, nameSortKey = ''] = /^(\d{1,12})\.(\d{1,15})(?:\.(.*))?$/s.exec(text ?? '') ?? [];
  return createdAtS && id ? { createdAtS: Number(createdAtS), id: Number(id), nameSortKey } : undefined;
}
