// Finds the site whose public page a guest opens. Wrong tokens are counted per network. While a network sends too many
// of them, its tokens are compared with those of the pages in memory, so that guests in the same network can still ask.

import type { SiteId } from '../../kernel/ids.ts';
import type { Site } from '../../kernel/sites/site.ts';
import { makeFreshRead } from '../../platform/concurrency/fresh-read.ts';
import type { NetworkFloods } from '../../platform/network/network-floods.ts';
import { hashToken, isPathToken } from '../../platform/secrets/token.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { GuestRequest, GuestRequestStore } from './guest-request.ts';

/** Until the hashes are read again, a new page does not open in a flooding network. */
const HASHES_FRESH_MS = 1_000;

/** Requests of a network with a right address in a minute. A guest who waits sends one every five seconds. */
export const MAX_FOLLOWED = 1_200;

/** `wrong`: the token is unknown, the page is closed, or the site is not active. */
export type OpenedRequestPage =
  | { result: 'opened'; site: Site; request?: GuestRequest }
  | { result: 'wrong' | 'throttled' };

/** Without `requestToken`, opens the page with the form; with it, the page on which a guest follows the request. */
export type OpenRequestPage = (
  tokens: { pageToken: string; requestToken?: string },
  ip: string,
) => Promise<OpenedRequestPage>;

interface Deps {
  guestRequests: Pick<GuestRequestStore, 'findSiteByToken' | 'listPageHashes' | 'findByToken'>;
  sites: { findActive(id: SiteId): Promise<Site | undefined> };
  /** Counts requests for wrong addresses. */
  floods: NetworkFloods;
  /** Counts requests for valid addresses, up to `MAX_FOLLOWED`. */
  openings: NetworkFloods;
  clock: Clock;
}

export function makeOpenRequestPage({
  guestRequests,
  sites,
  floods,
  openings,
  clock,
}: Deps): OpenRequestPage {
  const readHashes = makeFreshRead({ clock, freshMs: HASHES_FRESH_MS }, () => guestRequests.listPageHashes());

  return async ({ pageToken, requestToken }, ip) => {
    if (openings.isFlooding(ip)) return { result: 'throttled' };
    const isFlooding = floods.isFlooding(ip);
    const site = isPathToken(pageToken) ? await findSite(hashToken(pageToken), isFlooding) : undefined;
    const request = site && requestToken !== undefined ? await findRequest(requestToken, site) : undefined;
    if (site && (requestToken === undefined || request)) {
      openings.note(ip);
      return { result: 'opened', site, ...(request && { request }) };
    }
    if (isFlooding) return { result: 'throttled' };
    floods.note(ip);
    return { result: 'wrong' };
  };

  async function findSite(tokenHash: string, isFlooding: boolean): Promise<Site | undefined> {
    if (isFlooding && !(await readHashes()).has(tokenHash)) return undefined;
    const siteId = await guestRequests.findSiteByToken(tokenHash);
    return siteId === undefined ? undefined : sites.findActive(siteId);
  }

  async function findRequest(token: string, { id }: Site): Promise<GuestRequest | undefined> {
    const request = isPathToken(token) ? await guestRequests.findByToken(hashToken(token)) : undefined;
    return request?.siteId === id ? request : undefined;
  }
}
