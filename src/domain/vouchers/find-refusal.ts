// Finds out, without asking the controller, whether an order of vouchers must be refused.

import type { Controller } from '../controller.ts';
import type { FindOutdated } from '../instances/known-since.ts';
import type { OrderPrint } from '../printers/order-print.ts';
import type { CreationProblem } from '../problem.ts';
import type { Site } from '../sites/site.ts';
import { minutesUntil } from './nights.ts';
import type { OrderPurpose } from './order-purpose.ts';
import { findOutOfBounds, type VoucherOrder } from './voucher-order.ts';

const NIGHTS = { what: 'order', value: 'nights' } as const;
const REFERENCE = { what: 'order', value: 'reference' } as const;
const EMAIL = { what: 'order', value: 'email' } as const;
const PRINT = { what: 'order', value: 'print' } as const;

interface Deps {
  controllerOf: (site: Site) => Pick<Controller, 'bounds'>;
  findOutdated: FindOutdated;
  orderPrint: OrderPrint;
}

/** Why an order cannot be met at a site. Nothing is sent to find out. */
export function makeFindRefusal({ controllerOf, findOutdated, orderPrint }: Deps) {
  return async function findRefusal(
    order: VoucherOrder,
    site: Site,
    nowMs: number,
    purpose?: OrderPurpose,
  ): Promise<CreationProblem | undefined> {
    const { endsAtS, labels, mail, print } = order;
    if (endsAtS !== undefined && minutesUntil(endsAtS, nowMs) <= 0) return { kind: 'end-passed' };
    // An older release would settle the intent without the end, the labels and the purpose, and would delete its messages.
    const used = [
      ...(endsAtS === undefined ? [] : [NIGHTS]),
      ...(labels ? [REFERENCE] : []),
      ...(mail ? [EMAIL] : []),
      ...(print ? [PRINT] : []),
      ...(purpose ? [{ what: 'order' as const, value: purpose.kind }] : []),
    ];
    if (used.length > 0) {
      const outdated = await findOutdated(used);
      if (outdated) return { kind: 'instance-outdated', outdated };
    }
    const printed = print && (await orderPrint(print, { siteId: site.id }));
    if (printed && !printed.ok) return printed.problem;
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
