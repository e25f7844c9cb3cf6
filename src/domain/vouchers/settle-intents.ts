// Resolves intents whose request ended without an answer (a crash, a time-out, a lost reply): what the
// controller has is recorded like any other voucher, what it provably never made is forgotten.

import type { Controller, UpstreamVoucher } from '../controller.ts';
import type { IntentId, SiteId } from '../ids.ts';
import { joinSignals } from '../join-signals.ts';
import type { WithLease } from '../leases/leases.ts';
import type { Log } from '../log.ts';
import type { Site, SiteStore } from '../sites/site.ts';
import { couldBe } from './find-matches.ts';
import { isSameOrder } from './voucher-order.ts';
import type { OpenIntent, VoucherStore } from './voucher-store.ts';

/** No request lives longer than this; an older intent belongs to nobody who could still fulfil it. */
export const REQUEST_DEADLINE_MS = 20_000;
/** The longest a controller may take to create a voucher. Later ones are imported as vouchers made by others. */
export const LATE_CREATION_MS = 60_000;

/** A long list takes its time; nobody waits for the answer. */
const MAX_SEARCH_MS = 60_000;

export interface SettleTally {
  recorded: number;
  forgotten: number;
  open: number;
  /** When the next open intent is old enough to be looked up; absent if no intent is too young. */
  nextDueMs?: number;
}

/** Of one site, or of all; ends early when the signal does. */
export type SettleIntents = (signal: AbortSignal, siteId?: SiteId) => Promise<SettleTally>;

interface Deps {
  sites: Pick<SiteStore, 'find'>;
  vouchers: Pick<VoucherStore, 'listIntents' | 'recover' | 'abandon'>;
  controllerOf: (site: Site) => Controller;
  /** Of this process: whatever the clock says, these are not lost. */
  activeIntents: ReadonlySet<IntentId>;
  timeout: (ms: number) => AbortSignal;
  withLease: WithLease;
  log: Log;
  observe: (tally: SettleTally) => void;
}

export function makeSettleIntents(deps: Deps): SettleIntents {
  const { sites, vouchers, controllerOf, activeIntents, timeout, withLease, log, observe } = deps;

  return async function settleIntents(signal, siteId) {
    const intents = await vouchers.listIntents(siteId);
    const nextDueMs = nextDue(intents);
    const tally: SettleTally = {
      recorded: 0,
      forgotten: 0,
      open: intents.length,
      ...(nextDueMs && { nextDueMs }),
    };
    // Site by site at the same time: one whose controller hangs does not keep the others waiting.
    const bySite = Map.groupBy(intents, (intent) => intent.siteId);
    await Promise.all(
      [...bySite].map(([id, own]) =>
        withLease(`settling of site ${id}`, signal, (held) =>
          settleSite({ id, intents: own, signal: held, tally }),
        ).catch((error) =>
          log.error({ siteId: id, err: error }, 'cannot settle the open intents of a site yet'),
        ),
      ),
    );
    observe(tally);
    return tally;
  };

  function nextDue(intents: OpenIntent[]): number | undefined {
    const young = intents.filter((intent) => isYoung(intent) && !activeIntents.has(intent.id));
    if (young.length === 0) return undefined;
    return REQUEST_DEADLINE_MS - Math.max(...young.map(({ ageMs }) => ageMs));
  }

  async function settleSite({ id, intents, signal, tally }: SiteTurn): Promise<void> {
    const site = await sites.find(id);
    const due = intents.filter((intent) => !isYoung(intent));
    if (!site || due.length === 0) return;

    const names = new Set(due.map(({ order }) => order.name));
    using patience = joinSignals(signal, timeout(MAX_SEARCH_MS));
    const { signal: ended } = patience;
    const found = await controllerOf(site).findVouchersNamed(names, { signal: ended, priority: 'settle' });
    if (!found.ok) return;

    // Asked after the list was read: whoever made one that is in it has recorded it, or is among these.
    const open = await vouchers.listIntents(id);
    for (const intent of due) {
      const outcome = isInUse(intent, open) ? 'open' : await settle(intent, found.value);
      if (outcome === 'open') continue;
      tally[outcome]++;
      tally.open--;
      log.warn({ intentId: intent.id, siteId: id, outcome }, 'settled an open intent');
    }
  }

  /** What a request has just made upstream must not be taken by an equal intent before it can. */
  function isInUse(intent: OpenIntent, open: OpenIntent[]): boolean {
    return open.some(
      (other) => isSameOrder(other.order, intent.order) && (activeIntents.has(other.id) || isYoung(other)),
    );
  }

  async function settle(
    intent: OpenIntent,
    listed: UpstreamVoucher[],
  ): Promise<'recorded' | 'forgotten' | 'open'> {
    const { created, left } = await vouchers.recover(
      [intent],
      listed.filter((voucher) => couldBe(voucher, intent)),
    );
    if (created.length > 0) return 'recorded';
    // Its age before the list was read: what came in the meantime is not in it.
    const isOver = intent.ageMs >= REQUEST_DEADLINE_MS + LATE_CREATION_MS;
    if (left.length === 0 || !isOver) return 'open';

    return (await vouchers.abandon([intent])) ? 'forgotten' : 'open';
  }
}

/** Some request may still fulfil it. One from the future, after the clock was set back, is not young. */
const isYoung = ({ ageMs }: OpenIntent) => ageMs >= 0 && ageMs < REQUEST_DEADLINE_MS;

interface SiteTurn {
  id: SiteId;
  intents: OpenIntent[];
  signal: AbortSignal;
  tally: SettleTally;
}
