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
import type {
  CreatedVoucher,
  IdempotencyTicket,
  Intent,
  NewIntent,
  OrderedBy,
  VoucherStore,
} from './voucher-store.ts';

const LOOKS = 10;
/** Leaves the rest of the deadline to our own work. */
const PATIENCE_MS = REQUEST_DEADLINE_MS - 1_500;

export type Creation = Result<CreatedVoucher & { replayed: boolean }, CreationProblem>;

export type CreateVoucher = (
  order: VoucherOrder,
  by: OrderedBy,
  ticket?: IdempotencyTicket,
) => Promise<Creation>;

interface Needs {
  sites: Pick<SiteStore, 'findActive'>;
  vouchers: VoucherStore;
  controllerOf: (site: Site) => Controller;
  /** Intents a request of this process is working on; settling leaves them alone. */
  underWay: Set<IntentId>;
  clock: Clock;
  timeout: (ms: number) => AbortSignal;
  timeZone: string;
}

type Look = () => Promise<Result<UpstreamVoucher[], ControllerFailure>>;

export function makeCreateVoucher(needs: Needs): CreateVoucher {
  const { sites, vouchers, controllerOf, underWay, clock, timeout, timeZone } = needs;

  return async function createVoucher(order, by, ticket) {
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
      ...by,
    };
    const signal = timeout(PATIENCE_MS);
    const opened = await vouchers.begin(intent, ticket);
    if (!opened.ok) return opened;
    // Whoever slept through this may find the intent forgotten: then it is too late to begin. The timer alone
    // does not tell: who was asleep may get here before it.
    if (signal.aborted || clock.nowMs() - nowMs > PATIENCE_MS) {
      await vouchers.abandon(opened.value);
      return failed({ text: 'the database took too long' });
    }

    underWay.add(opened.value.id);
    try {
      return await fulfil(opened.value, controller, signal);
    } catch (error) {
      // The intent stays open: settling finds out what became of it.
      if (error instanceof DatabaseUnavailable) return failed({ text: error.message });
      throw error;
    } finally {
      underWay.delete(opened.value.id);
    }
  };

  async function fulfil(intent: Intent, controller: Controller, signal: AbortSignal): Promise<Creation> {
    const made = await controller.createVoucher(intent.order, signal);
    if (!made.ok && made.problem.kind !== 'outcome-unknown') {
      await vouchers.abandon(intent);
      return failed(made.problem);
    }
    // From here on the voucher may exist: nothing is asked for a second time.
    const look = () => findMatches(intent, controller, signal);
    return made.ok ? claimMade(intent, made.value, look) : claimLost(intent, made.problem, look);
  }

  async function claimMade(intent: Intent, made: Made, look: Look): Promise<Creation> {
    if (!made.vouchers.some(({ code }) => code !== null)) return fail({ kind: 'no-valid-voucher' });
    let offered = made.vouchers;
    for (let looks = 0; looks < LOOKS; looks++) {
      const recording = await vouchers.record(intent, offered);
      if (recording === 'intent-gone')
        return failed({ text: 'somebody else has settled this request meanwhile' });
      if (recording !== 'all-taken') return ok({ ...recording, replayed: false });
      // Others with an equal order took these; theirs are among the next.
      const again = await (made.lookAgain ?? look)();
      if (!again.ok) return failed(again.problem);
      offered = again.value;
    }
    return failed({ text: 'the controller lists only vouchers that are recorded already' });
  }

  /** The answer was lost: it is worth a look before giving up. */
  async function claimLost(intent: Intent, failure: ControllerFailure, look: Look): Promise<Creation> {
    for (let looks = 0; looks < LOOKS; looks++) {
      const found = await look();
      if (!found.ok || found.value.length === 0) break;
      const recording = await vouchers.recover(intent, found.value);
      if (typeof recording === 'object') return ok({ ...recording, replayed: false });
      // Others with an equal order took these; theirs may be there by now.
      if (recording === 'intent-gone') break;
    }
    return failure.withoutVoucher ? fail({ kind: 'no-valid-voucher' }) : failed(failure);
  }
}

const failed = ({ text, cause }: Pick<ControllerFailure, 'text' | 'cause'>) =>
  fail({ kind: 'creation-failed' as const, text, ...(cause && { cause }) });

function toUpstreamOrder(order: VoucherOrder, storedName: string): UpstreamOrder {
  const { maxUses, expireMinutes, downKbps, upKbps, quotaMb } = order;
  return { name: storedName, maxUses, expireMinutes, downKbps, upKbps, quotaMb };
}
