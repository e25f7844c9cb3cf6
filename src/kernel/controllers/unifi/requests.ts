// The calls of UniFi's official Network Integration API, as pure values. The driver adds the API key.

import type { UpstreamOrder } from '../controller.ts';
import type { UpstreamCall } from '../upstream/upstream-http.ts';

const BASE = '/proxy/network/integration/v1';
const SITES_PER_CHUNK = 200;
const VOUCHERS_PER_CHUNK = 1_000;

const vouchersPath = (siteUuid: string) => `${BASE}/sites/${encodeURIComponent(siteUuid)}/hotspot/vouchers`;

export const INFO_CALL: UpstreamCall = { method: 'GET', path: `${BASE}/info` };

export const sitesCall = (offset: number): UpstreamCall => ({
  method: 'GET',
  path: `${BASE}/sites?offset=${offset}&limit=${SITES_PER_CHUNK}`,
});

export function createCall(
  siteUuid: string,
  { order, count }: { order: UpstreamOrder; count: number },
): UpstreamCall {
  return {
    method: 'POST',
    path: vouchersPath(siteUuid),
    json: {
      // Without a count, some versions return a voucher that they never stored.
      count,
      name: order.name,
      timeLimitMinutes: order.expireMinutes,
      authorizedGuestLimit: order.maxUses,
      // The names take the guest's side: rx is the guest's download. An absent limit means unlimited; 0 is refused.
      ...(order.downKbps > 0 && { rxRateLimitKbps: order.downKbps }),
      ...(order.upKbps > 0 && { txRateLimitKbps: order.upKbps }),
      ...(order.quotaMb > 0 && { dataUsageLimitMBytes: order.quotaMb }),
    },
  };
}

export function vouchersCall(
  siteUuid: string,
  { offset, filter }: { offset: number; filter: string | undefined },
): UpstreamCall {
  const query = new URLSearchParams({ offset: String(offset), limit: String(VOUCHERS_PER_CHUNK) });
  if (filter !== undefined) query.set('filter', filter);
  return { method: 'GET', path: `${vouchersPath(siteUuid)}?${query}` };
}

/** Reads or deletes one voucher. */
export const voucherCall = (method: 'GET' | 'DELETE', siteUuid: string, voucherId: string): UpstreamCall => ({
  method,
  path: `${vouchersPath(siteUuid)}/${encodeURIComponent(voucherId)}`,
});

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
