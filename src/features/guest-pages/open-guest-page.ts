// Finds the voucher that a guest's link opens. Wrong tokens are counted per network. While a network sends too many of
// them, its tokens are compared with the hashes of all links in memory, and only those found there are looked up. So a
// guest in the same network can still open a right link. Right links are limited, too, but generously. See
// docs/decisions/0071-guest-page.md.

import type { SiteId } from '../../kernel/ids.ts';
import type { Site } from '../../kernel/sites/site.ts';
import type { FoundVoucher, VoucherFinder } from '../../kernel/vouchers/voucher-search.ts';
import { hasEnded, stateOf } from '../../kernel/vouchers/voucher-state.ts';
import { makeFreshRead } from '../../platform/concurrency/fresh-read.ts';
import type { Counter } from '../../platform/metrics/metric.ts';
import type { NetworkFloods } from '../../platform/network/network-floods.ts';
import { hashToken, isPathToken } from '../../platform/secrets/token.ts';
import { type Clock, toWholeSeconds } from '../../platform/time/clock.ts';
import type { GuestLinkStore } from './guest-link.ts';

/** Limits the memory. If there are more links, every token of a flooding network is looked up. */
const MAX_HASHES = 20_000;
/** Until the hashes are read again, a new link does not open in a flooding network. */
const HASHES_FRESH_MS = 1_000;

/** Requests of a network with a right link in a minute. A page and its logo are two requests. */
export const MAX_OPENED = 240;

/** `wrong`: the token is unknown, the voucher has ended, or its site is deactivated or has no guest pages. */
export type Opened = { result: 'opened'; voucher: FoundVoucher } | { result: 'wrong' | 'throttled' };
export type GuestPageResult = Opened['result'];
export const GUEST_PAGES: Counter<{ result: GuestPageResult }> = {
  place: 80,
  name: 'gastpass_guest_pages_total',
  help: 'Requests for pages of guests, by result',
  startsWith: [{ result: 'opened' }, { result: 'wrong' }, { result: 'throttled' }],
};

export type OpenGuestPage = (token: string, ip: string) => Promise<Opened>;

interface Deps {
  guestLinks: Pick<GuestLinkStore, 'findVoucher' | 'listHashes'>;
  sites: { findActive(id: SiteId): Promise<Pick<Site, 'hasGuestPage'> | undefined> };
  finder: Pick<VoucherFinder, 'search'>;
  /** Counts wrong links. */
  floods: NetworkFloods;
  /** Counts right links, up to `MAX_OPENED`. */
  openings: NetworkFloods;
  clock: Clock;
}

export function makeOpenGuestPage({
  guestLinks,
  sites,
  finder,
  floods,
  openings,
  clock,
}: Deps): OpenGuestPage {
  const readHashes = makeFreshRead({ clock, freshMs: HASHES_FRESH_MS }, () =>
    guestLinks.listHashes(MAX_HASHES),
  );

  return async (token, ip) => {
    if (openings.isFlooding(ip)) return { result: 'throttled' };
    const isFlooding = floods.isFlooding(ip);
    const voucher = isPathToken(token) ? await find(hashToken(token), isFlooding) : undefined;
    if (voucher) {
      openings.note(ip);
      return { result: 'opened', voucher };
    }
    if (isFlooding) return { result: 'throttled' };
    floods.note(ip);
    return { result: 'wrong' };
  };

  async function find(tokenHash: string, isFlooding: boolean): Promise<FoundVoucher | undefined> {
    if (isFlooding && (await readHashes())?.has(tokenHash) === false) return undefined;
    const linked = await guestLinks.findVoucher(tokenHash);
    if (!linked) return undefined;
    const { id, siteId } = linked;
    if (!(await sites.findActive(siteId))?.hasGuestPage) return undefined;
    const nowS = toWholeSeconds(clock.nowMs());
    const { vouchers } = await finder.search({ siteIds: [siteId], id, limit: 1, nowS });
    const [voucher] = vouchers;
    return voucher && !hasEnded(stateOf(voucher, nowS)) ? voucher : undefined;
  }
}
