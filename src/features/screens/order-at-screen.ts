// A guest orders a voucher at a kiosk. If the controller is away or busy, the guest gets a voucher from the reserve of
// the site. Other failures, such as a mail that cannot be ordered, must not keep the guest from the code.

import { screenActor } from '../../kernel/audit/actor.ts';
import type { VoucherId } from '../../kernel/ids.ts';
import type { CreationProblem } from '../../kernel/problem.ts';
import type { Profile } from '../../kernel/profiles/profile.ts';
import type { OneTimeFormStore } from '../../kernel/sessions/one-time-forms.ts';
import type { SiteStore } from '../../kernel/sites/site.ts';
import type { CreateVouchers } from '../../kernel/vouchers/create-vouchers.ts';
import { checkOutOf } from '../../kernel/vouchers/nights.ts';
import type { AcceptedTerms } from '../../kernel/vouchers/order-purpose.ts';
import { toOrder } from '../../kernel/vouchers/order-request.ts';
import type { VoucherOrder } from '../../kernel/vouchers/voucher-order.ts';
import type { OrderedBy } from '../../kernel/vouchers/voucher-records.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { OrderedMail } from '../mail/mail.ts';
import type { OrderMail } from '../mail/order-mail.ts';
import type { OrderPrint } from '../printers/order-print.ts';
import type { HandOutReserve } from '../reserve/hand-out-reserve.ts';
import type { Screen } from './screen.ts';

export const MAX_GUEST_NAME_LENGTH = 100;
export const MAX_ROOM_LENGTH = 60;
/** How long guests wait if the limit refuses a voucher of the reserve: that refusal names no time. */
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

/** For the metrics: the results above, `invalid` for forms that are shown again, and `error`. */
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
  createVouchers: CreateVouchers;
  handOutReserve: HandOutReserve;
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

function makeOrder({
  sites,
  createVouchers,
  handOutReserve,
  orderMail,
  orderPrint,
  clock,
  timeZone,
  log,
}: Deps) {
  return async function order(
    screen: Screen,
    wanted: ScreenOrder,
    { ip, requestId }: Pick<OrderedBy, 'ip' | 'requestId'>,
  ): Promise<ScreenOutcome> {
    const site = await sites.findActive(screen.siteId);
    if (!site) return { result: 'closed' };
    const { terms } = wanted;
    const caller: OrderedBy = {
      actor: screenActor(screen),
      ...(ip !== undefined && { ip }),
      ...(requestId !== undefined && { requestId }),
    };
    const line = { requestId, screenId: screen.id, siteId: site.id };
    const checkOut = checkOutOf(site, timeZone);
    const { order: possible, isMailMissing } = await withoutImpossible(toVoucherOrder());
    const { created, problem, intentIds, isOwnFailure } = await createVouchers(possible, 1, {
      ...caller,
      purpose: { kind: 'screen', screenId: screen.id },
      ...(terms && { terms }),
    });
    const [voucher] = created;
    if (voucher?.id !== undefined) return { result: 'created', voucherId: voucher.id, isMailMissing };
    if (problem?.kind === 'screen-limit') return { result: 'limit', retryAfterS: problem.retryAfterS };
    if (problem?.kind === 'site-not-found' || problem?.kind === 'screen-gone') return { result: 'closed' };
    if (!problem || !FAILURES.includes(problem.kind)) {
      log.error({ ...line, problem }, 'a screen cannot order: its profile does not fit the site');
      return { result: 'away' };
    }
    // The voucher may be recorded already: one of the reserve would be a second one. Or nothing can be recorded.
    if (isOwnFailure) {
      log.error({ ...line, problem }, 'no voucher for a guest at a screen');
      return { result: 'away' };
    }
    const { siteId, name, mail, print } = possible;
    const { note } = wanted;
    const handedOut = await handOutReserve(
      {
        siteId,
        name,
        // Without the profile: the limits are those of the reserve.
        ...(note !== undefined && { labels: { note } }),
        ...(terms && { terms }),
        ...(mail && { mail }),
        ...(print && { print }),
        ...(intentIds && { replaces: intentIds }),
      },
      { ...caller, screenId: screen.id },
    );
    if (handedOut.ok && handedOut.value.id !== undefined)
      return { result: 'reserve', voucherId: handedOut.value.id, isMailMissing };
    if (!handedOut.ok && handedOut.problem.kind === 'screen-limit')
      return { result: 'limit', retryAfterS: WAIT_S };
    log.error({ ...line, problem }, 'no voucher for a guest at a screen');
    return { result: 'away' };

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
    async function withoutImpossible(ordered: VoucherOrder) {
      const { mail, print, ...rest } = ordered;
      const mailed = mail && (await orderMail(mail, { actor: caller.actor, count: 1 }));
      if (mailed?.ok) mailed.value[Symbol.dispose]();
      else if (mailed) log.warn({ ...line, problem: mailed.problem }, 'a guest at a screen gets no mail');
      const printed = print && (await orderPrint(print, screen));
      if (printed && !printed.ok)
        log.warn({ ...line, problem: printed.problem }, 'a guest at a screen gets no receipt');
      return {
        order: { ...rest, ...(mailed?.ok && { mail }), ...(printed?.ok && { print }) },
        isMailMissing: mailed !== undefined && !mailed.ok,
      };
    }
  };
}
