// Decides what the stock of a site lacks, and which of its vouchers must leave. A voucher that must be replaced leaves
// only when its replacement is there, unless none will come.

import type { VoucherLimits } from '../../kernel/controllers/controller.ts';
import type { ScreenId, StockId } from '../../kernel/ids.ts';
import { isFor, type Profile } from '../../kernel/profiles/profile.ts';
import { GONE_KEPT_MS, type StockVoucher } from '../../kernel/stock/stock-voucher.ts';
import {
  DEFAULT_EXPIRE_MINUTES,
  DEFAULT_MAX_USES,
  hasSameLimits,
} from '../../kernel/vouchers/voucher-order.ts';
import type { OpenIntent } from '../../kernel/vouchers/voucher-records.ts';
import { MISSING_KEPT_MS, RESERVE_KEPT_MS, type StockGroup, type StockTarget } from './stock.ts';

const DAY_MINUTES = 24 * 60;

export interface StockOrder {
  screenId: ScreenId | null;
  name: string;
  limits: VoucherLimits;
  count: number;
}

export interface StockPlan {
  /** Screens come first: somebody is looking at them. */
  orders: StockOrder[];
  leaving: StockId[];
}

interface Input {
  targets: StockTarget[];
  stock: StockVoucher[];
  /** The open intents of the site: vouchers that are on their way. */
  intents: OpenIntent[];
  profiles: Profile[];
  isOld: (voucher: StockVoucher) => boolean;
  isLongMissing: (voucher: StockVoucher) => boolean;
}

export function planStock({ targets, stock, intents, profiles, isOld, isLongMissing }: Input): StockPlan {
  const plan: StockPlan = { orders: [], leaving: [] };
  const ready = stock.filter(({ state }) => state === 'ready');
  const inOrder = targets.toSorted(
    (one, other) => Number(one.screenId === null) - Number(other.screenId === null),
  );
  for (const target of inOrder) {
    const { screenId, name, wanted, isAwaited } = target;
    const limits = limitsOf(target, profiles);
    const own = ready.filter((voucher) => voucher.screenId === screenId);
    const isGood = (voucher: StockVoucher) => hasSameLimits(voucher, limits) && !isOld(voucher);
    const good = own.filter(isGood);
    const bad = own.filter((voucher) => !isGood(voucher));
    const onTheWay = intents.filter(
      ({ purpose }) => purpose?.kind === 'stock' && purpose.screenId === screenId,
    ).length;
    const count = isAwaited ? wanted - good.length - onTheWay : 0;
    if (count > 0) plan.orders.push({ screenId, name, limits, count });
    // Vouchers that must be replaced leave first, then the oldest.
    const surplus = isAwaited ? own.length - wanted : bad.length + Math.max(0, good.length - wanted);
    plan.leaving.push(...[...bad, ...good].slice(0, Math.max(0, surplus)).map(({ id }) => id));
  }
  const needed = new Set(targets.map(({ screenId }) => screenId));
  const missing = stock.filter(({ state }) => state === 'missing');
  const useless = [
    ...ready.filter(({ screenId }) => !needed.has(screenId)),
    ...missing.filter((voucher) => !needed.has(voucher.screenId) || isLongMissing(voucher)),
  ];
  plan.leaving.push(...useless.map(({ id }) => id));
  return plan;
}

/** What was read of a site together with all others. */
export interface StockOverview {
  targets: StockTarget[];
  groups: StockGroup[];
  profiles: Profile[];
}

/**
 * True if a plan for the site would certainly be empty. Most turns find a full stock, so this needs neither the
 * vouchers nor the open intents.
 */
export function isAsWanted({ targets, groups, profiles }: StockOverview): boolean {
  const needed = new Set(targets.map(({ screenId }) => screenId));
  const mustPlan = (group: StockGroup) =>
    group.state === 'gone'
      ? isLongGone(group)
      : !needed.has(group.screenId) ||
        (group.state !== 'ready' && group.state !== 'missing') ||
        (group.state === 'ready' && group.oldestMs >= RESERVE_KEPT_MS) ||
        group.missingForMs >= MISSING_KEPT_MS;
  if (groups.some(mustPlan)) return false;
  return targets.every((target) => {
    const { screenId, wanted, isAwaited } = target;
    const limits = limitsOf(target, profiles);
    const own = groups.filter((group) => group.screenId === screenId && group.state === 'ready');
    if (own.some((group) => !hasSameLimits(group, limits))) return false;
    const good = own.reduce((sum, { count }) => sum + count, 0);
    return isAwaited ? good === wanted : good <= wanted;
  });
}

/** A time that lies further ahead than vouchers are kept counts as over: the clock was set back since. */
export function isLongGone({ state, missingForMs }: StockGroup): boolean {
  return state === 'gone' && Math.abs(missingForMs) >= GONE_KEPT_MS;
}

/** The limits of the first profile that still exists and is offered at the site, otherwise the default limits. */
export function limitsOf(
  { profileIds, siteId }: Pick<StockTarget, 'profileIds' | 'siteId'>,
  profiles: Profile[],
): VoucherLimits {
  const [profile] = profileIds.flatMap((id) =>
    profiles.filter((one) => one.id === id && isFor(one, [siteId])),
  );
  const { maxUses, expireMinutes, downKbps, upKbps, quotaMb } = profile ?? {
    maxUses: DEFAULT_MAX_USES,
    expireMinutes: DEFAULT_EXPIRE_MINUTES,
    downKbps: 0,
    upKbps: 0,
    quotaMb: 0,
  };
  // Nobody knows at which check-out a voucher that is made ahead will end.
  const minutes = profile?.nights === undefined ? expireMinutes : profile.nights * DAY_MINUTES;
  return { maxUses, expireMinutes: minutes, downKbps, upKbps, quotaMb };
}
