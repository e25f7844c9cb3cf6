// Hands out a voucher of the reserve: under the name that was typed, with the mail and the print job that were ordered.
// The controller is not asked. The API never hands out the reserve: a program can wait and try again, a guest cannot.

import { toActorText } from '../../kernel/audit/actor.ts';
import type { GuestRequestId, IntentId, ScreenId, SiteId } from '../../kernel/ids.ts';
import type { OrderProblem } from '../../kernel/problem.ts';
import type { SiteStore } from '../../kernel/sites/site.ts';
import { type HandOverWay, orderMessages } from '../../kernel/vouchers/hand-over-way.ts';
import type { AcceptedTerms } from '../../kernel/vouchers/order-purpose.ts';
import { findNameProblem, trimName } from '../../kernel/vouchers/voucher-name.ts';
import type { HandOverFields, Labels, VoucherOrder } from '../../kernel/vouchers/voucher-order.ts';
import type { CreatedVoucher, OrderedBy } from '../../kernel/vouchers/voucher-records.ts';
import type { Log } from '../../platform/log/log.ts';
import { calendarDate } from '../../platform/time/calendar-date.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { StockStore } from './stock.ts';

/** What is ordered besides the voucher. Its limits are those of the reserve. */
export interface ReserveOrder extends HandOverFields {
  siteId: SiteId;
  name: string;
  labels?: Labels;
  terms?: AcceptedTerms;
  /** The open intents of the order that failed before. */
  replaces?: readonly IntentId[];
  /** The request of a guest that is approved with the voucher. */
  guestRequestId?: GuestRequestId;
}

export type ReserveProblem =
  | OrderProblem
  /** The site keeps no reserve, and has no vouchers left of an earlier reserve. */
  | { kind: 'reserve-off' }
  | { kind: 'reserve-empty' }
  /** The screen has no place left. */
  | { kind: 'screen-limit' }
  | { kind: 'name-wrong' };

export type HandOutReserve = (
  order: ReserveOrder,
  by: OrderedBy & { screenId?: ScreenId },
) => Promise<Result<CreatedVoucher, ReserveProblem>>;

interface Deps {
  sites: Pick<SiteStore, 'findActive'>;
  stock: Pick<StockStore, 'handOut' | 'findReserve'>;
  ways: readonly HandOverWay[];
  clock: Clock;
  timeZone: string;
  log: Log;
  /** Counts an order that did not get its voucher. */
  observeFailure: (siteId: SiteId, reason: string) => void;
}

/** Writes one line to the log for each order. */
export function makeHandOutReserve(deps: Deps): HandOutReserve {
  const { sites, stock, ways, clock, timeZone, log, observeFailure } = deps;

  return async function handOutReserve(order, by) {
    const { siteId, name } = order;
    const { requestId, batchId, screenId, actor } = by;
    const line = { requestId, siteId, name, by: toActorText(actor), batchId, screenId };
    try {
      const handedOut = await attempt(order, by);
      if (handedOut.ok) log.info(line, 'voucher of the reserve handed out');
      else {
        const { problem } = handedOut;
        // Only known sites are counted: otherwise any caller could add time series to the metrics.
        if (problem.kind !== 'site-not-found') observeFailure(siteId, problem.kind);
        log.warn({ ...line, problem }, 'no voucher of the reserve handed out');
      }
      return handedOut;
    } catch (error) {
      observeFailure(siteId, 'error');
      log.error({ ...line, err: error }, 'no voucher of the reserve handed out');
      throw error;
    }
  };

  async function attempt(order: ReserveOrder, by: Parameters<HandOutReserve>[1]): ReturnType<HandOutReserve> {
    const { siteId, labels, terms, replaces, guestRequestId } = order;
    if (!(await sites.findActive(siteId))) return fail({ kind: 'site-not-found' });
    const name = trimName(order.name);
    if (findNameProblem(name)) return fail({ kind: 'name-wrong' });
    const messages = await orderMessages(ways, order, { actor: by.actor, siteId, count: 1 });
    if (!messages.ok) return messages;
    using ordered = messages.value;
    const handedOut = await stock.handOut({
      ...by,
      siteId,
      name,
      storedName: `${calendarDate(clock.nowMs(), timeZone)}_${name}`,
      ...(labels && { labels }),
      ...(terms && { terms }),
      ...(replaces && { replaces }),
      ...(guestRequestId !== undefined && { guestRequestId }),
      messages: ordered.messages,
    });
    if (handedOut === 'screen-limit') return fail({ kind: handedOut });
    if (handedOut === 'request-decided') return fail({ kind: handedOut });
    if (handedOut) return ok(handedOut);
    const { wanted } = await stock.findReserve(siteId);
    return fail({ kind: wanted > 0 ? 'reserve-empty' : 'reserve-off' });
  }
}

/** As `CreateVouchers`, but from the reserve. */
export type HandOutSeveral = (
  order: VoucherOrder,
  count: number,
  by: OrderedBy,
) => Promise<{ created: CreatedVoucher[]; problem?: ReserveProblem }>;

/** Hands out one voucher after the other, until one is missing. */
export function makeHandOutSeveral(handOutReserve: HandOutReserve): HandOutSeveral {
  return async function handOutSeveral(ordered, count, by) {
    const { labels } = ordered;
    const order = { ...ordered, ...(labels && { labels: ownLabels(labels) }) };
    const created: CreatedVoucher[] = [];
    while (created.length < count) {
      const handedOut = await handOutReserve(order, by);
      if (!handedOut.ok) return { created, problem: handedOut.problem };
      created.push(handedOut.value);
    }
    return { created };
  };
}

/** Without the profile that was ordered: the limits are those of the reserve. */
function ownLabels({ profileId: _, ...labels }: Labels): Labels {
  return labels;
}
