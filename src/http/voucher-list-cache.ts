// Caches the response of GET /vouchers.php per site: its bytes and its ETag. An entry is valid while the list version
// of the site is unchanged and no voucher in the list has expired since the entry was made.

import { hash } from 'node:crypto';
import { type Clock, toWholeSeconds } from '../domain/clock.ts';
import type { SiteId } from '../domain/ids.ts';
import { LIST_SIZE, nextExpiryS } from '../domain/vouchers/list-vouchers.ts';
import type { VoucherStore } from '../domain/vouchers/voucher-store.ts';
import { type HttpResponse, JSON_TYPE } from './handler.ts';
import { presentVoucher } from './present-voucher.ts';

const MAX_SITES = 500;

/** For a site that the API key may not use: the same response as for a site that does not exist. */
export const EMPTY_LIST = toListResponse([], { fromMs: 0, untilMs: Number.POSITIVE_INFINITY });

interface Entry {
  response: HttpResponse;
  version: number | undefined;
  madeAtS: number;
  staleAtS: number;
}

/** A site's list version, read together with the API key. `version` is undefined for an unknown site. */
export interface KnownVersion {
  version: number | undefined;
}

interface Deps {
  vouchers: Pick<VoucherStore, 'listVersion' | 'listNewest'>;
  clock: Clock;
}

export function makeVoucherListCache({ vouchers: { listVersion, listNewest }, clock }: Deps) {
  const entries = new Map<SiteId, Entry>();

  return async function listResponse(siteId: SiteId, known?: KnownVersion): Promise<HttpResponse> {
    const nowS = toWholeSeconds(clock.nowMs());
    const { version } = known ?? { version: await listVersion(siteId) };
    const entry = entries.get(siteId);
    if (entry && entry.version === version && isFresh(entry, nowS)) return entry.response;

    const made = await makeEntry(siteId, version, nowS);
    // Do not cache lists of unknown sites: requests with invented site ids would push real sites out of the cache.
    if (made.version !== undefined) keep(siteId, made);
    return made.response;
  };

  /** `version` must be read before the vouchers. If they change in between, the entry is outdated and is not reused. */
  async function makeEntry(siteId: SiteId, version: number | undefined, nowS: number): Promise<Entry> {
    const vouchers = await listNewest(siteId, LIST_SIZE);
    const shown = vouchers.map((voucher) => presentVoucher(voucher, nowS));
    const staleAtS = nextExpiryS(vouchers, nowS) ?? Number.POSITIVE_INFINITY;
    const fresh = { fromMs: nowS * 1000, untilMs: staleAtS * 1000 };
    return { version, response: toListResponse(shown, fresh), madeAtS: nowS, staleAtS };
  }

  function keep(siteId: SiteId, entry: Entry): void {
    entries.delete(siteId);
    entries.set(siteId, entry);
    const [oldest] = entries.keys();
    if (entries.size > MAX_SITES && oldest !== undefined) entries.delete(oldest);
  }
}

function toListResponse(
  vouchers: ReturnType<typeof presentVoucher>[],
  fresh: NonNullable<HttpResponse['fresh']>,
): HttpResponse {
  const body = Buffer.from(JSON.stringify({ vouchers }));
  // The ETag is a hash of the body, not the list version: after a backup is restored, the same version number may
  // stand for a different list.
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
  const headers = { etag, 'cache-control': 'private, no-cache' };
  return {
    status: 200,
    headers: { 'content-type': JSON_TYPE, ...headers },
    body,
    fresh,
    notModified: { status: 304, headers, body: '' },
  };
}

function isFresh(entry: Entry, nowS: number): boolean {
  return nowS >= entry.madeAtS && nowS < entry.staleAtS;
}
