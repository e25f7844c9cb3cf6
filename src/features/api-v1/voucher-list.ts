// GET /vouchers: a page of the vouchers that the API key may see, newest first. A page is made once and sent again
// while no list has changed and no voucher on it has expired.

import type { ApiKeyHandler } from '../../kernel/contract/with-api-key.ts';
import { asSiteId, type SiteId } from '../../kernel/ids.ts';
import { includesSite, type KeySites } from '../../kernel/keys/api-key.ts';
import type { VerifiedKey } from '../../kernel/keys/verify-key.ts';
import type { SiteStore } from '../../kernel/sites/site.ts';
import { siteIdsOfKey } from '../../kernel/sites/sites-for.ts';
import { endOfTimeS } from '../../kernel/vouchers/voucher.ts';
import type { VoucherStore } from '../../kernel/vouchers/voucher-records.ts';
import type { FoundVoucher, VoucherFinder } from '../../kernel/vouchers/voucher-search.ts';
import type { HttpRequest, HttpResponse } from '../../platform/http/handler.ts';
import { makeSizedCache } from '../../platform/http/sized-cache.ts';
import { type Clock, toWholeSeconds } from '../../platform/time/clock.ts';
import { readCursor, toCursor } from './cursor.ts';
import { decode, readQuery } from './decode.ts';
import { presentVoucher } from './present.ts';
import { problemResponse } from './problems.ts';
import { DEFAULT_LIMIT, ListQuery, readTimeS } from './requests.ts';
import { withEtag } from './respond.ts';
import type { VoucherPage } from './responses.ts';

/** Enough for 200 pages of 200 vouchers. */
const MAX_BYTES = 16_000_000;
const BYTES_PER_ENTRY = 700;

interface Page {
  response: HttpResponse;
  madeAtS: number;
  staleAtS: number;
}

interface Deps {
  sites: Pick<SiteStore, 'list'>;
  finder: Pick<VoucherFinder, 'search'>;
  vouchers: Pick<VoucherStore, 'onListChange'>;
  clock: Clock;
}

export function makeListHandler({ sites, finder, vouchers, clock }: Deps): ApiKeyHandler {
  /**
   * Pages of one site by their query, each with the list version of the site. Used if the version is read with the key.
   */
  const pages = makeSizedCache<string, Page & { version: number }>(MAX_BYTES);
  let changes = 0;
  vouchers.onListChange(() => changes++);
  return { GET: { scope: 'read', run: list, listedSite } };

  async function list(
    request: HttpRequest,
    { sites: keySites, list: known }: VerifiedKey,
  ): Promise<HttpResponse> {
    const siteId = listedSite(request);
    const version = siteId && includesSite(keySites, siteId) ? known?.version : undefined;
    const kept = pages.get(request.query);
    if (kept && kept.version === version && isCurrent(kept)) return kept.response;

    const { fields, errors } = readQuery(request.query, ['site', 'limit']);
    const query = decode(ListQuery, fields, errors);
    if (!query.ok) return problemResponse(query.problem, request);
    const page = await makePage(query.value, keySites);
    if (version !== undefined)
      pages.set(request.query, { ...page, version }, page.response.body.length + BYTES_PER_ENTRY);
    return page.response;
  }

  async function makePage(query: ListQuery, keySites: KeySites): Promise<Page> {
    const changesBefore = changes;
    const {
      limit = DEFAULT_LIMIT,
      site,
      status,
      name,
      reference,
      created_after: createdAfter,
      cursor,
    } = query;
    const nowS = toWholeSeconds(clock.nowMs());
    const fromS = createdAfter && readTimeS(createdAfter);
    const after = cursor && readCursor(cursor);
    const { vouchers: found, lookedUntil } = await finder.search({
      siteIds: site === undefined ? await siteIdsOfKey(keySites, sites) : [asSiteId(site)].filter(isOfKey),
      ...(status && { state: status }),
      ...(name && { name }),
      ...(reference && { reference }),
      ...(fromS && { created: { fromS } }),
      ...(after && { after }),
      // One more shows whether there is a next page.
      limit: limit + 1,
      nowS,
    });
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : lookedUntil;
    const body: VoucherPage = {
      vouchers: shown.map((voucher) => presentVoucher(voucher, nowS)),
      next_cursor: last ? toCursor(last) : null,
    };
    // A voucher that expires now would have to appear among the expired vouchers.
    const staleAtS = status === 'expired' ? nowS : nextEndS(shown, nowS);
    const again = () => (changes === changesBefore && isCurrent(page) ? page.response : undefined);
    const page: Page = { response: withEtag(body, again), madeAtS: nowS, staleAtS };
    return page;

    function isOfKey(id: SiteId): boolean {
      return includesSite(keySites, id);
    }
  }

  function isCurrent({ madeAtS, staleAtS }: Page): boolean {
    const nowS = toWholeSeconds(clock.nowMs());
    return nowS >= madeAtS && nowS < staleAtS;
  }
}

/** The site in the query, if it is a plain number. */
function listedSite({ query }: HttpRequest): SiteId | undefined {
  const [, id] = /(?:^|&)site=([1-9]\d{0,8})(?:&|$)/.exec(query) ?? [];
  return id === undefined ? undefined : asSiteId(Number(id));
}

/** When the status of one of these vouchers changes next by time alone. */
function nextEndS(vouchers: FoundVoucher[], nowS: number): number {
  const ends = vouchers.map((voucher) => endOfTimeS(voucher) ?? Number.POSITIVE_INFINITY);
  return Math.min(...ends.filter((endS) => endS > nowS), Number.POSITIVE_INFINITY);
}
