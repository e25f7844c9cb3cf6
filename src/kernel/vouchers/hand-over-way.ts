// A way to hand a voucher over to its guest, such as a mail. A feature brings it, with its field of the order.

import { ok, type Result } from '../../platform/values/result.ts';
import type { Actor } from '../audit/actor.ts';
import type { SiteId } from '../ids.ts';
import type { UsedValue } from '../instances/known-since.ts';
import type { HeldMessage } from '../messages/message.ts';
import type { OrderProblem } from '../problem.ts';
import type { HandOverFields } from './voucher-order.ts';

/** Dispose of it when the message is stored: see `OrderLimit`. */
export interface OrderedMessage extends Disposable {
  message: HeldMessage;
}

/** Each method does nothing if the order does not name the way. */
export interface HandOverWay {
  /** What older releases do not know. */
  usedValue(order: HandOverFields): UsedValue | undefined;
  /** Why no voucher of the site can be handed over in this way. Counts nothing. */
  findProblem?(order: HandOverFields, site: { siteId: SiteId }): Promise<OrderProblem | undefined>;
  /** Makes the message. `count` is the number of vouchers, each of which has a message of its own. */
  order(
    order: HandOverFields,
    by: { actor: Actor; siteId: SiteId; count: number },
  ): Promise<Result<OrderedMessage, OrderProblem> | undefined>;
  refuseMany(...[order, by]: Parameters<RefuseMany>): ReturnType<RefuseMany>;
}

/** Why messages for this many vouchers cannot be ordered now. For orders that are fulfilled in several parts. */
export type RefuseMany = (
  order: HandOverFields,
  by: { actor: Actor; count: number },
) => Promise<OrderProblem | undefined>;

export function makeRefuseMany(ways: readonly HandOverWay[]): RefuseMany {
  return async function refuseMany(order, by) {
    for (const way of ways) {
      const refusal = await way.refuseMany(order, by);
      if (refusal) return refusal;
    }
    return undefined;
  };
}

/** The messages of all ways that the order names. Dispose of them when they are stored. */
export async function orderMessages(
  ways: readonly HandOverWay[],
  ...[order, by]: Parameters<HandOverWay['order']>
): Promise<Result<Disposable & { messages: HeldMessage[] }, OrderProblem>> {
  using taken = new DisposableStack();
  const messages: HeldMessage[] = [];
  for (const way of ways) {
    const ordered = await way.order(order, by);
    if (ordered && !ordered.ok) return ordered;
    if (ordered) messages.push(taken.use(ordered.value).message);
  }
  const kept = taken.move();
  return ok({ messages, [Symbol.dispose]: () => kept.dispose() });
}
