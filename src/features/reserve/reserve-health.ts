// When the overview shows the reserve of a site.

import type { ConcernSource } from '../../kernel/overview/concern.ts';
import { isFailing } from '../../kernel/sites/site-sync.ts';
import { isLow } from './reserve.ts';
import { RESERVE_TEXTS } from './reserve-texts.ts';

/** A reserve that is low and was not filled for this long is not filling up. */
const FILLED_WITHIN_MS = 10 * 60_000;

/** Fewer vouchers than half of those wanted are in reserve, and it is not filling up. */
export const concerns: ConcernSource = {
  place: 40,
  async find({ reserves, syncs, failedOrders, sites, clock }) {
    const low = (await reserves.list()).filter(isLow);
    if (low.length === 0) return [];
    const known = await syncs.list();
    const failures = await failedOrders.list();
    const active = await sites.listActive();
    return low.flatMap(({ siteId, ready, wanted, lastMadeAtMs }) => {
      const site = active.find(({ id }) => id === siteId);
      const sync = known.get(siteId);
      const isAway = sync !== undefined && isFailing(sync);
      // If no voucher is left, the time of the last one is not known.
      const isOld = lastMadeAtMs !== null && clock.nowMs() - lastMadeAtMs > FILLED_WITHIN_MS;
      if (!site || !(isAway || isOld || failures.has(siteId))) return [];
      return [
        {
          likeness: 'reserve-low',
          name: site.name,
          all: ({ messages }, count) => messages.overview.sites(count),
          figures: [ready, wanted],
          what: ({ language }, who, [left = 0, all = 0]) => RESERVE_TEXTS[language].low(who, left, all),
          advice: ({ language }) => RESERVE_TEXTS[language].lowAdvice,
          way: ({ messages }) => ({ href: `/sites/${siteId}`, label: messages.overview.toSite }),
        },
      ];
    });
  },
};
