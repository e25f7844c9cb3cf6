// Finds out, without asking the controller, whether an order of vouchers must be refused.

import type { Controller } from '../controller.ts';
import type { FindOutdated } from '../instances/known-since.ts';
import type { CreationProblem } from '../problem.ts';
import type { Site } from '../sites/site.ts';
import { minutesUntil } from './nights.ts';
import { findOutOfBounds, type VoucherOrder } from './voucher-order.ts';

const NIGHTS = { what: 'order', value: 'nights' } as const;
const REFERENCE = { what: 'order', value: 'reference' } as const;
const EMAIL = { what: 'order', value: 'email' } as const;

interface Deps {
  controllerOf: (site: Site) => Pick<Controller, 'bounds'>;
  findOutdated: FindOutdated;
}

/** Why an order cannot be met at a site. Nothing is sent to find out. */
export function makeFindRefusal({ controllerOf, findOutdated }: Deps) {
  return async function findRefusal(
    order: VoucherOrder,
    site: Site,
    nowMs: number,
  ): Promise<CreationProblem | undefined> {
    const { endsAtS, labels, mail } = order;
    if (endsAtS !== undefined && minutesUntil(endsAtS, nowMs) <= 0) return { kind: 'end-passed' };
    // An older release would settle the intent without the end and without the labels, and would delete the mail.
    const used = [
      ...(endsAtS === undefined ? [] : [NIGHTS]),
      ...(labels ? [REFERENCE] : []),
      ...(mail ? [EMAIL] : []),
    ];
    if (used.length > 0) {
      const outdated = await findOutdated(used);
      if (outdated) return { kind: 'instance-outdated', outdated };
    }
    const timed = withMinutes(order, nowMs);
    // An end may be further away than the service can store as minutes, also if the controller has no bounds.
    return findOutOfBounds(timed) ?? findOutOfBounds(timed, controllerOf(site).bounds);
  };
}

/** Guests who use the voucher at once are online until its end. */
export function withMinutes(order: VoucherOrder, nowMs: number): VoucherOrder {
  const { endsAtS } = order;
  return endsAtS === undefined ? order : { ...order, expireMinutes: minutesUntil(endsAtS, nowMs) };
}
