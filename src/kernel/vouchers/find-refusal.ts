// Finds out, without asking the controller, whether an order of vouchers must be refused.

import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { Controller } from '../controllers/controller.ts';
import type { FindOutdated } from '../instances/known-since.ts';
import type { CreationProblem } from '../problem.ts';
import type { Site } from '../sites/site.ts';
import type { HandOverWay } from './hand-over-way.ts';
import { minutesUntil } from './nights.ts';
import type { OrderPurpose } from './order-purpose.ts';
import { findOutOfBounds, type VoucherOrder } from './voucher-order.ts';
import type { VoucherStore } from './voucher-records.ts';

const NIGHTS = { what: 'order', value: 'nights' } as const;
const REFERENCE = { what: 'order', value: 'reference' } as const;

interface Deps {
  vouchers: Pick<VoucherStore, 'readNowMs'>;
  controllerOf: (site: Site) => Pick<Controller, 'bounds'>;
  findOutdated: FindOutdated;
  ways: readonly HandOverWay[];
}

/** Why an order cannot be met at a site, or else the order with its minutes. Nothing is sent to find out. */
export function makeFindRefusal({ vouchers, controllerOf, findOutdated, ways }: Deps) {
  return async function findRefusal(
    order: VoucherOrder,
    site: Site,
    purpose?: OrderPurpose,
  ): Promise<Result<VoucherOrder, CreationProblem>> {
    const timed = await withMinutes(order, vouchers);
    const refusal =
      timed.expireMinutes <= 0 && order.endsAtS !== undefined
        ? { kind: 'end-passed' as const }
        : await findOther(timed, site, purpose);
    return refusal ? fail(refusal) : ok(timed);
  };

  async function findOther(
    timed: VoucherOrder,
    site: Site,
    purpose: OrderPurpose | undefined,
  ): Promise<CreationProblem | undefined> {
    const { endsAtS, labels } = timed;
    // An older release would settle the intent without the end, the labels and the purpose, and would delete its
    // messages.
    const used = [
      ...(endsAtS === undefined ? [] : [NIGHTS]),
      ...(labels ? [REFERENCE] : []),
      ...ways.flatMap((way) => way.usedValue(timed) ?? []),
      ...(purpose ? [{ what: 'order' as const, value: purpose.kind }] : []),
    ];
    if (used.length > 0) {
      const outdated = await findOutdated(used);
      if (outdated) return { kind: 'instance-outdated', outdated };
    }
    for (const way of ways) {
      const problem = await way.findProblem?.(timed, { siteId: site.id });
      if (problem) return problem;
    }
    // An end may be further away than the service can store as minutes, also if the controller has no bounds.
    return findOutOfBounds(timed) ?? findOutOfBounds(timed, controllerOf(site).bounds);
  }
}

/**
 * Guests who use the voucher at once are online until its end. The minutes are counted by the clock that all instances
 * share: the clock of one instance may be wrong.
 */
async function withMinutes(order: VoucherOrder, vouchers: Deps['vouchers']): Promise<VoucherOrder> {
  const { endsAtS } = order;
  if (endsAtS === undefined) return order;
  return { ...order, expireMinutes: minutesUntil(endsAtS, await vouchers.readNowMs()) };
}
