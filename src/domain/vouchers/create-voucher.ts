// Creates one voucher: on the site's controller first, then in our records. Called by API and web.
// A crash, a time-out or a lost answer at any point leaves an intent behind that settling resolves.

import { calendarDate } from '../calendar-date.ts';
import type { Clock } from '../clock.ts';
import type { Controller, ControllerFailure, Made, UpstreamOrder, UpstreamVoucher } from '../controller.ts';
import { DatabaseUnavailable } from '../database-unavailable.ts';
import type { IntentId } from '../ids.ts';
import type { CreationProblem } from '../problem.ts';
import { fail, ok, type Result } from '../result.ts';
import type { Site, SiteStore } from '../sites/site.ts';
import { findMatches } from './find-matches.ts';
import { REQUEST_DEADLINE_MS } from './settle-intents.ts';
import { findOutOfBounds, type VoucherOrder } from './voucher-order.ts';
import type { CreatedVoucher, IdempotencyTicket, Intent, NewIntent, VoucherStore } from './voucher-store.ts';

const LOOKS = 10;

export type Creation = Result<CreatedVoucher & { replayed: boolean }, CreationProblem>;

export type CreateVoucher = (
  order: VoucherOrder,
  source: string,
  ticket?: IdempotencyTicket,
) => Promise<Creation>;

interface Needs {
  sites: Pick<SiteStore, 'findActive'>;
  vouchers: VoucherStore;
  controllerOf: (site: Site) => Controller;
  /** Intents a request of this process is working on; settling leaves them alone. */
  underWay: Set<IntentId>;
  clock: Clock;
  timeZone: string;
}

export function makeCreateVoucher(needs: Needs): CreateVoucher {
  const { sites, vouchers, controllerOf, underWay, clock, timeZone } = needs;

  return async function createVoucher(order, source, ticket) {
    const nowMs = clock.nowMs();
    const earlier = ticket && (await vouchers.findAnswer(ticket, nowMs));
    if (earlier) return earlier.ok ? ok({ ...earlier.value, replayed: true }) : earlier;

    const site = await sites.findActive(order.siteId);
    if (!site) return fail({ kind: 'site-not-found' });

    const controller = controllerOf(site);
    const outOfBounds = findOutOfBounds(order, controller.bounds);
    if (outOfBounds) return fail(outOfBounds);

    const storedName = `${calendarDate(nowMs, timeZone)}_${order.name}`;
    const intent: NewIntent = {
      siteId: site.id,
      siteName: site.name,
      order: toUpstreamOrder(order, storedName),
      source,
      createdAtMs: nowMs,
    };
    const opened = await vouchers.begin(intent, ticket);
    if (!opened.ok) return opened;

    underWay.add(opened.value.id);
    try {
      return await fulfil(opened.value, controller, AbortSignal.timeout(REQUEST_DEADLINE_MS));
    } catch (error) {
      // The intent stays open: settling finds out what became of it.
      if (error instanceof DatabaseUnavailable) return fail({ kind: 'creation-failed', text: error.message });
      throw error;
    } finally {
      underWay.delete(opened.value.id);
    }
  };

  async function fulfil(intent: Intent, controller: Controller, signal: AbortSignal): Promise<Creation> {
    const made = await controller.createVoucher(intent.order, signal);
    if (!made.ok) return afterFailure(intent, made.problem, () => findMatches(intent, controller, signal));

    const { vouchers: candidates, lookAgain } = made.value;
    if (!candidates.some(({ code }) => code !== null)) return fail({ kind: 'no-valid-voucher' });
    return recordOne(intent, candidates, lookAgain);
  }

  async function afterFailure(
    intent: Intent,
    { kind, text }: ControllerFailure,
    look: () => Promise<Result<UpstreamVoucher[], ControllerFailure>>,
  ): Promise<Creation> {
    if (kind !== 'outcome-unknown') {
      await vouchers.abandon(intent);
      return fail({ kind: 'creation-failed', text });
    }
    // It was sent and may exist: look before giving up, and never ask a second time.
    const found = await look();
    const created = found.ok && (await vouchers.record(intent, found.value));
    return created ? ok({ ...created, replayed: false }) : fail({ kind: 'creation-failed', text });
  }

  async function recordOne(
    intent: Intent,
    candidates: UpstreamVoucher[],
    lookAgain: Made['lookAgain'],
  ): Promise<Creation> {
    let offered = candidates;
    for (let look = 0; look < LOOKS; look++) {
      const created = await vouchers.record(intent, offered);
      if (created) return ok({ ...created, replayed: false });
      // Others with an equal order took these; theirs are among the next.
      const again = await lookAgain?.();
      if (!again?.ok) break;
      offered = again.value;
    }
    return fail({
      kind: 'creation-failed',
      text: 'the controller lists only vouchers that are recorded already',
    });
  }
}

function toUpstreamOrder(order: VoucherOrder, storedName: string): UpstreamOrder {
  const { maxUses, expireMinutes, downKbps, upKbps, quotaMb } = order;
  return { name: storedName, maxUses, expireMinutes, downKbps, upKbps, quotaMb };
}
