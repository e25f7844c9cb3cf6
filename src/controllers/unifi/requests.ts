// The calls of UniFi's official Network Integration API, as pure values. Each call carries the API key.

import type { UpstreamOrder } from '../../domain/controller.ts';
import type { UpstreamCall } from '../upstream/upstream-http.ts';

const BASE = '/proxy/network/integration/v1';
export const SITES_PER_PAGE = 200;
export const VOUCHERS_PER_PAGE = 1_000;

const withApiKey = (apiKey: string, call: UpstreamCall): UpstreamCall => ({
  ...call,
  headers: { 'x-api-key': apiKey, accept: 'application/json' },
});

export const infoCall = (apiKey: string) => withApiKey(apiKey, { method: 'GET', path: `${BASE}/info` });

export const sitesCall = (apiKey: string, offset: number) =>
  withApiKey(apiKey, { method: 'GET', path: `${BASE}/sites?offset=${offset}&limit=${SITES_PER_PAGE}` });

export function createCall(
  apiKey: string,
  siteUuid: string,
  { order, count }: { order: UpstreamOrder; count: number },
): UpstreamCall {
  return withApiKey(apiKey, {
    method: 'POST',
    path: `${BASE}/sites/${encodeURIComponent(siteUuid)}/hotspot/vouchers`,
    json: {
      // Without a count, some versions return a voucher that they never stored.
      count,
      name: order.name,
      timeLimitMinutes: order.expireMinutes,
      authorizedGuestLimit: order.maxUses,
      // Named from the guest's side: rx is the guest's download. An absent limit means unlimited; 0 is refused.
      ...(order.downKbps > 0 && { rxRateLimitKbps: order.downKbps }),
      ...(order.upKbps > 0 && { txRateLimitKbps: order.upKbps }),
      ...(order.quotaMb > 0 && { dataUsageLimitMBytes: order.quotaMb }),
    },
  });
}

export function vouchersCall(
  apiKey: string,
  siteUuid: string,
  page: { offset: number; filter?: string },
): UpstreamCall {
  const query = new URLSearchParams({ offset: String(page.offset), limit: String(VOUCHERS_PER_PAGE) });
  if (page.filter !== undefined) query.set('filter', page.filter);
  return withApiKey(apiKey, {
    method: 'GET',
    path: `${BASE}/sites/${encodeURIComponent(siteUuid)}/hotspot/vouchers?${query}`,
  });
}

export const deleteCall = (apiKey: string, siteUuid: string, voucherId: string) =>
  withApiKey(apiKey, { method: 'DELETE', path: voucherPath(siteUuid, voucherId) });

export const voucherCall = (apiKey: string, siteUuid: string, voucherId: string) =>
  withApiKey(apiKey, { method: 'GET', path: voucherPath(siteUuid, voucherId) });

const voucherPath = (siteUuid: string, voucherId: string) =>
  `${BASE}/sites/${encodeURIComponent(siteUuid)}/hotspot/vouchers/${encodeURIComponent(voucherId)}`;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Undefined if an id is not a UUID: this API refuses a filter with other ids. */
export function byIds(ids: string[]): string | undefined {
  return ids.every((id) => UUID.test(id)) ? `id.in(${ids.join(',')})` : undefined;
}

const MAX_FILTER_LENGTH = 2_000;

/** Filters that together match all names. Names are grouped so that each filter fits into a URL. */
export function byNames(names: Iterable<string>): string[] {
  const filters: string[] = [];
  let texts: string[] = [];
  let length = 0;
  for (const name of names) {
    // The filter language escapes a quote by doubling it.
    const text = `'${name.replaceAll("'", "''")}'`;
    const added = encodeURIComponent(text).length + 1;
    if (texts.length > 0 && length + added > MAX_FILTER_LENGTH) {
      filters.push(`name.in(${texts.join(',')})`);
      texts = [];
      length = 0;
    }
    texts.push(text);
    length += added;
  }
  if (texts.length > 0) filters.push(`name.in(${texts.join(',')})`);
  return filters;
}
