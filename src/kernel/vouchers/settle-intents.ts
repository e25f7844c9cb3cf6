// Resolves intents whose request ended without a result (a crash, a time-out, a lost response). If the voucher
// exists on the controller, it is recorded. If it was provably never created, the intent is deleted.

import { joinSignals } from '../../platform/concurrency/join-signals.ts';
import type { WithLease } from '../../platform/leases/leases.ts';
import type { Log } from '../../platform/log/log.ts';
import { REQUEST_DEADLINE_MS } from '../../platform/time/deadline.ts';
import { toActorText } from '../audit/actor.ts';
import type { Controller, UpstreamVoucher } from '../controllers/controller.ts';
import type { IntentId, SiteId } from '../ids.ts';
import type { Site, SiteStore } from '../sites/site.ts';
import { checkConsole } from './check-console.ts';
import { couldBe } from './find-matches.ts';
import type { UsageStore } from './usage-records.ts';
import { isSameOrder } from './voucher-order.ts';
import type { OpenIntent, VoucherStore } from './voucher-records.ts';

/**
 * The longest time a controller may take to create a voucher. If a voucher appears later, the sync imports it as a
 * voucher that Gastpass did not create.
 */
export const LATE_CREATION_MS = 60_000;

/** The time limit of a search. It is generous: a long list takes time to read, and no caller waits for the result. */
const MAX_SEARCH_MS = 60_000;

export interface SettleTally {
  recorded: number;
  forgotten: number;
  open: number;
  /** Time until the next intent is old enough to be settled. Absent if no intent is too young. */
  nextDueMs?: number;
}

/** Settles the intents of one site, or of all sites; stops early when the signal aborts. */
export type SettleIntents = (signal: AbortSignal, siteId?: SiteId) => Promise<SettleTally>;

interface Deps {
  sites: Pick<SiteStore, 'find'>;
  vouchers: Pick<VoucherStore, 'listIntents' | 'recover' | 'abandon'>;
  usage: Pick<UsageStore, 'sampleExpected'>;
  controllerOf: (site: Site) => Controller;
  /**
   * Intents that a request of this process is still working on. They are not settled, even if they are older than the
   * deadline because the process was suspended.
   */
  activeIntents: ReadonlySet<IntentId>;
  /** Intents whose request has certainly ended, whatever their age: the process that ran it is dead. */
  leftIntents: ReadonlySet<IntentId>;
  timeout: (ms: number) => AbortSignal;
  monotonicMs: () => number;
  withLease: WithLease;
  log: Log;
  observe: (tally: SettleTally) => void;
}

export function makeSettleIntents(deps: Deps): SettleIntents {
  const { sites, vouchers, usage, controllerOf, activeIntents, leftIntents, timeout, withLease } = deps;
  const { monotonicMs, log, observe } = deps;
  /** By the monotonic clock. An intent whose creation time was reset counts as a new one. */
  const firstSeenMs = new Map<string, number>();
  const nameOf = ({ id, createdAtMs }: OpenIntent) => `${id} ${createdAtMs}`;

  return async function settleIntents(signal, siteId) {
    const intents = await listIntents(siteId);
    if (siteId === undefined) forgetAllBut(intents);
    const nextDueMs = nextDue(intents);
    const tally: SettleTally = {
      recorded: 0,
      forgotten: 0,
      open: intents.length,
      ...(nextDueMs && { nextDueMs }),
    };
    // Settle the sites in parallel: a site whose controller hangs does not delay the others.
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

  /**
   * If the clock was set back, an intent may be dated in the future. Its age is then the time since this process first
   * saw it.
   */
  async function listIntents(siteId?: SiteId): Promise<OpenIntent[]> {
    const intents = await vouchers.listIntents(siteId);
    const nowMs = monotonicMs();
    return intents.map((intent) => {
      const sinceMs = firstSeenMs.get(nameOf(intent)) ?? nowMs;
      firstSeenMs.set(nameOf(intent), sinceMs);
      return intent.ageMs < 0 ? { ...intent, ageMs: nowMs - sinceMs } : intent;
    });
  }

  function forgetAllBut(intents: OpenIntent[]): void {
    const open = new Set(intents.map(nameOf));
    for (const name of firstSeenMs.keys()) if (!open.has(name)) firstSeenMs.delete(name);
  }

  function nextDue(intents: OpenIntent[]): number | undefined {
    const young = intents.filter((intent) => mayRun(intent) && !activeIntents.has(intent.id));
    if (young.length === 0) return undefined;
    return REQUEST_DEADLINE_MS - Math.max(...young.map(({ ageMs }) => ageMs));
  }

  async function settleSite({ id, intents, signal, tally }: SiteTurn): Promise<void> {
    const site = await sites.find(id);
    const due = intents.filter((intent) => !mayRun(intent));
    if (!site || due.length === 0) return;

    const names = new Set(due.map(({ order }) => order.name));
    using patience = joinSignals(signal, timeout(MAX_SEARCH_MS));
    const { signal: ended } = patience;
    const controller = controllerOf(site);
    const mayForget = due.some(isOver) && (await hasOurVouchers(id, controller, ended));
    const found = await controller.findVouchersNamed(names, { signal: ended, priority: 'settle' });
    if (!found.ok) return;

    // Read the open intents again, after the controller's list. If a listed voucher was ordered by a request that is
    // still running, the intent of that request is in this second list, and `isInUse` keeps other intents from claiming
    // the voucher. If the request has finished, its voucher is already recorded.
    const open = await listIntents(id);
    for (const intent of due) {
      const outcome = isInUse(intent, open) ? 'open' : await settle(intent, found.value, mayForget);
      if (outcome === 'open') continue;
      tally[outcome]++;
      tally.open--;
      const { requestId, order, actor } = intent;
      const story = { requestId, siteId: id, name: order.name, by: toActorText(actor) };
      log.warn({ ...story, intentId: intent.id, outcome }, 'settled an open intent');
    }
  }

  /**
   * Whether the controller is the one that has our vouchers. If it is not, a search without a result does not prove
   * that a voucher was never created. The check comes before the search: a restarted controller that passes the check
   * lists its vouchers again, so the search finds them.
   */
  async function hasOurVouchers(
    siteId: SiteId,
    controller: Controller,
    signal: AbortSignal,
  ): Promise<boolean> {
    const failure = await checkConsole({ siteId, controller, usage, signal });
    if (failure) log.warn({ siteId, failure }, 'cannot settle the open intents of a site yet');
    return !failure;
  }

  /**
   * True if a request that is still running may have ordered a voucher with the same name and limits. A matching
   * voucher on the controller may belong to that request, so this intent must not claim it yet.
   */
  function isInUse(intent: OpenIntent, open: OpenIntent[]): boolean {
    return open.some(
      (other) => isSameOrder(other.order, intent.order) && (activeIntents.has(other.id) || mayRun(other)),
    );
  }

  /** True while a request may still fulfil the intent, here or in another process. */
  function mayRun({ id, ageMs }: OpenIntent): boolean {
    return ageMs < REQUEST_DEADLINE_MS && !leftIntents.has(id);
  }

  async function settle(
    intent: OpenIntent,
    listed: UpstreamVoucher[],
    mayForget: boolean,
  ): Promise<'recorded' | 'forgotten' | 'open'> {
    const { created, left } = await vouchers.recover(
      [intent],
      listed.filter((voucher) => couldBe(voucher, intent)),
    );
    if (created.length > 0) return 'recorded';
    if (left.length === 0 || !isOver(intent) || !mayForget) return 'open';

    return (await vouchers.abandon([intent])) ? 'forgotten' : 'open';
  }
}

/**
 * True if the controller can no longer create the voucher. The age was read before the search. If it were read
 * afterwards, an intent could be deleted although its voucher was created just after the list was read.
 */
const isOver = ({ ageMs }: OpenIntent) => ageMs >= REQUEST_DEADLINE_MS + LATE_CREATION_MS;

interface SiteTurn {
  id: SiteId;
  intents: OpenIntent[];
  signal: AbortSignal;
  tally: SettleTally;
}
