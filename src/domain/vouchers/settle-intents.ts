// Resolves intents whose request ended without an answer (a crash, a time-out, a lost reply): what the
// controller has is recorded like any other voucher, what it provably never made is forgotten.

import type { Clock } from '../clock.ts';
import type { Controller } from '../controller.ts';
import type { IntentId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Site, SiteStore } from '../sites/site.ts';
import { findMatches } from './find-matches.ts';
import { isSameOrder } from './voucher-order.ts';
import type { Intent, VoucherStore } from './voucher-store.ts';

/** No request lives longer than this; an older intent belongs to nobody who could still fulfil it. */
export const REQUEST_DEADLINE_MS = 20_000;
/** A controller may still finish what it was asked for after our patience ended. */
export const LATE_CREATION_MS = 60_000;

export type SettleIntents = () => Promise<{ recorded: number; forgotten: number; open: number }>;

interface Needs {
  sites: Pick<SiteStore, 'find'>;
  vouchers: Pick<VoucherStore, 'listIntents' | 'record' | 'abandon'>;
  controllerOf: (site: Site) => Controller;
  /** Whatever the clock says, these are not lost. */
  underWay: ReadonlySet<IntentId>;
  clock: Clock;
  log: Log;
}

export function makeSettleIntents(needs: Needs): SettleIntents {
  const { sites, vouchers, controllerOf, underWay, clock, log } = needs;

  return async function settleIntents() {
    const tally = { recorded: 0, forgotten: 0, open: 0 };
    const intents = await vouchers.listIntents();
    for (const intent of intents) {
      // What a request has just made upstream must not be taken by an equal intent before it can.
      const inUse = intents.some((other) => underWay.has(other.id) && isEqual(other, intent));
      const outcome = inUse
        ? 'open'
        : await settle(intent).catch((error) => {
            // One that cannot be settled does not keep the others waiting.
            log.error(
              { intentId: intent.id, siteId: intent.siteId, err: error },
              'cannot settle an intent yet',
            );
            return 'open' as const;
          });
      tally[outcome]++;
      if (outcome !== 'open')
        log.warn({ intentId: intent.id, siteId: intent.siteId, outcome }, 'settled an open intent');
    }
    return tally;
  };

  async function settle(intent: Intent): Promise<'recorded' | 'forgotten' | 'open'> {
    const ageMs = clock.nowMs() - intent.createdAtMs;
    if (ageMs < REQUEST_DEADLINE_MS) return 'open';

    const site = await sites.find(intent.siteId);
    if (!site) return 'open';
    const found = await findMatches(intent, controllerOf(site), AbortSignal.timeout(REQUEST_DEADLINE_MS));
    if (!found.ok) return 'open';

    if (await vouchers.record(intent, found.value)) return 'recorded';
    if (ageMs < REQUEST_DEADLINE_MS + LATE_CREATION_MS) return 'open';

    await vouchers.abandon(intent);
    return 'forgotten';
  }
}

function isEqual(one: Intent, other: Intent): boolean {
  return one.siteId === other.siteId && isSameOrder(one.order, other.order);
}
