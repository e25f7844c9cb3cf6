// A guest orders a voucher at a kiosk. If the controller is away or busy, the guest gets a voucher from the reserve of the
// site. What goes wrong besides, such as a mail that cannot be ordered, must not keep the guest from the code.

import { screenActor } from '../audit/actor.ts';
import { calendarDate } from '../calendar-date.ts';
import type { Clock } from '../clock.ts';
import type { VoucherId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { OrderedMail } from '../mail/mail.ts';
import type { OrderMail } from '../mail/order-mail.ts';
import type { OrderPrint } from '../printers/order-print.ts';
import type { CreationProblem } from '../problem.ts';
import type { Profile } from '../profiles/profile.ts';
import type { OneTimeFormStore } from '../sessions/one-time-forms.ts';
import type { SiteStore } from '../sites/site.ts';
import type { StockStore } from '../stock/stock.ts';
import type { CreateVouchers } from '../vouchers/create-vouchers.ts';
import { checkOutOf } from '../vouchers/nights.ts';
import type { AcceptedTerms } from '../vouchers/order-purpose.ts';
import { toOrder } from '../vouchers/order-request.ts';
import type { VoucherOrder } from '../vouchers/voucher-order.ts';
import type { OrderedBy } from '../vouchers/voucher-store.ts';
import type { Screen } from './screen.ts';

export const MAX_GUEST_NAME_LENGTH = 100;
export const MAX_ROOM_LENGTH = 60;
/** How long to wait if the reserve is refused because of the limit, which does not say how long. */
const WAIT_S = 60;

/** What a guest has chosen and entered. Everything is checked. */
export interface ScreenOrder {
  /** Undefined for one voucher with the default limits. */
  profile: Profile | undefined;
  /** The name of the voucher without the date. */
  name: string;
  note?: string;
  mail?: OrderedMail;
  terms?: AcceptedTerms;
  /** Identifies the form, which is accepted once. Undefined if the form has no id. */
  formId?: string;
}

export type ScreenOutcome =
  | { result: 'created' | 'reserve'; voucherId: VoucherId; isMailMissing: boolean }
  /** The form was sent before and led to a voucher. */
  | { result: 'replayed' }
  | { result: 'limit'; retryAfterS: number }
  | { result: 'closed' }
  | { result: 'away' };

/** Also `invalid`, for forms that are shown again, and `error`. */
export const SCREEN_ORDER_RESULTS = [
  'created',
  'reserve',
  'replayed',
  'limit',
  'closed',
  'away',
  'invalid',
  'error',
] as const satisfies (ScreenOutcome['result'] | 'invalid' | 'error')[];
export type ScreenOrderResult = (typeof SCREEN_ORDER_RESULTS)[number];

export type OrderAtScreen = (
  screen: Screen,
  order: ScreenOrder,
  by: Pick<OrderedBy, 'ip' | 'requestId'>,
) => Promise<ScreenOutcome>;

interface Deps {
  sites: Pick<SiteStore, 'findActive'>;
  stock: Pick<StockStore, 'handOut'>;
  createVouchers: CreateVouchers;
  orderMail: OrderMail;
  orderPrint: OrderPrint;
  oneTimeForms: Pick<OneTimeFormStore, 'take' | 'free'>;
  clock: Clock;
  timeZone: string;
  log: Log;
}

/** The problems after which the guest gets a voucher from the reserve. */
const FAILURES: CreationProblem['kind'][] = [
  'controller-busy',
  'creation-failed',
  'no-valid-voucher',
  'instance-outdated',
];

export function makeOrderAtScreen(deps: Deps): OrderAtScreen {
  const { oneTimeForms, clock, log } = deps;
  const order = makeOrder(deps);
  /** Forms that this process is working on. A guest who taps twice waits for the result of the first tap. */
  const underWay = new Map<string, Promise<unknown>>();

  return async function orderAtScreen(screen, wanted, by) {
    const { formId } = wanted;
    if (formId === undefined) return order(screen, wanted, by);
    await underWay.get(formId)?.catch(() => {});
    const working = orderOnce(formId, () => order(screen, wanted, by));
    underWay.set(formId, working);
    try {
      return await working;
    } finally {
      if (underWay.get(formId) === working) underWay.delete(formId);
    }
  };

  async function orderOnce(formId: string, work: () => Promise<ScreenOutcome>): Promise<ScreenOutcome> {
    if (!(await oneTimeForms.take(formId, clock.nowMs()))) return { result: 'replayed' };
    let isDone = false;
    try {
      const outcome = await work();
      isDone = 'voucherId' in outcome;
      return outcome;
    } finally {
      if (!isDone)
        await oneTimeForms
          .free(formId)
          .catch((error) => log.warn({ err: error }, 'a form of a screen cannot be sent again'));
    }
  }
}

function makeOrder({ sites, stock, createVouchers, orderMail, orderPrint, clock, timeZone, log }: Deps) {
  return async function order(
    screen: Screen,
    wanted: ScreenOrder,
    { ip, requestId }: Pick<OrderedBy, 'ip' | 'requestId'>,
  ): Promise<ScreenOutcome> {
    const site = await sites.findActive(screen.siteId);
    if (!site) return { result: 'closed' };
    const { terms } = wanted;
    const by: OrderedBy = {
      actor: screenActor(screen),
      purpose: { kind: 'screen', screenId: screen.id },
      ...(terms && { terms }),
      ...(ip !== undefined && { ip }),
      ...(requestId !== undefined && { requestId }),
    };
    const line = { requestId, screenId: screen.id, siteId: site.id };
    const checkOut = checkOutOf(site, timeZone);
    const { order: possible, isMailMissing } = await withoutImpossible(toVoucherOrder(), by);
    const { created, problem } = await createVouchers(possible, 1, by);
    const [voucher] = created;
    if (voucher?.id !== undefined) return { result: 'created', voucherId: voucher.id, isMailMissing };
    if (problem?.kind === 'screen-limit') return { result: 'limit', retryAfterS: problem.retryAfterS };
    if (problem?.kind === 'site-not-found' || problem?.kind === 'screen-gone') return { result: 'closed' };
    if (!problem || !FAILURES.includes(problem.kind)) {
      log.error({ ...line, problem }, 'a screen cannot order: its profile does not fit the site');
      return { result: 'away' };
    }
    const handedOut = await handOut(possible, by);
    if (handedOut === 'screen-limit') return { result: 'limit', retryAfterS: WAIT_S };
    if (handedOut?.id === undefined) {
      log.error({ ...line, problem }, 'no voucher for a guest at a screen, and the reserve is empty');
      return { result: 'away' };
    }
    log.warn({ ...line, problem, voucherId: handedOut.id }, 'a guest at a screen got a reserve voucher');
    return { result: 'reserve', voucherId: handedOut.id, isMailMissing };

    function toVoucherOrder(): VoucherOrder {
      const { profile, name, note, mail } = wanted;
      const { printerId } = screen;
      return toOrder(
        {
          siteId: screen.siteId,
          name,
          count: 1,
          ...(profile && { profileId: profile.id }),
          ...(note !== undefined && { note }),
          ...(mail && { mail }),
          ...(printerId !== null && { print: { printerId } }),
        },
        { profile, checkOut, nowMs: clock.nowMs() },
      );
    }

    /** Leaves out the mail and the receipt if they cannot be ordered. */
    async function withoutImpossible(ordered: VoucherOrder, { actor }: OrderedBy) {
      const { mail, print, ...rest } = ordered;
      const mailed = mail && (await orderMail(mail, { actor, count: 1 }));
      if (mailed?.ok) mailed.value[Symbol.dispose]();
      else if (mailed) log.warn({ ...line, problem: mailed.problem }, 'a guest at a screen gets no mail');
      const printed = print && (await orderPrint(print, screen.siteId));
      if (printed && !printed.ok)
        log.warn({ ...line, problem: printed.problem }, 'a guest at a screen gets no receipt');
      return {
        order: { ...rest, ...(mailed?.ok && { mail }), ...(printed?.ok && { print }) },
        isMailMissing: mailed !== undefined && !mailed.ok,
      };
    }
  };

  async function handOut({ siteId, name, labels, mail, print }: VoucherOrder, by: OrderedBy) {
    const { actor, ip, requestId, terms, purpose } = by;
    const mailed = mail && (await orderMail(mail, { actor, count: 1 }));
    using mailOrder = mailed?.ok ? mailed.value : undefined;
    const printed = print && (await orderPrint(print, siteId));
    return stock.handOut({
      siteId,
      name,
      storedName: `${calendarDate(clock.nowMs(), timeZone)}_${name}`,
      actor,
      messages: [...(mailOrder ? [mailOrder.message] : []), ...(printed?.ok ? [printed.value] : [])],
      ...(purpose?.kind === 'screen' && { screenId: purpose.screenId }),
      ...(ip !== undefined && { ip }),
      ...(requestId !== undefined && { requestId }),
      ...(labels && { labels }),
      ...(terms && { terms }),
    });
  }
}
