// Limits how many mails one user, API key, screen or command line can order in an hour, and how many slips one API key
// can order, so that a stolen key cannot be used to send spam or to use up the paper of a printer.

import type { Clock } from '../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { Actor } from '../audit/actor.ts';

export const MAX_ORDERED_PER_HOUR = 500;
const HOUR_MS = 60 * 60_000;

type Kind = 'too-many-mails' | 'too-many-slips';

export interface TooManyOrdered<What extends Kind = Kind> {
  kind: What;
  retryAfterS: number;
}

/** What is counted together. `by` is stored with each message. */
export interface Counted<What extends Kind = Kind> {
  kind: What;
  by: string;
}

export const mailsOf = ({ kind, id, name }: Actor): Counted<'too-many-mails'> => ({
  kind: 'too-many-mails',
  by: `${kind} ${id ?? name}`,
});

/** Undefined for actors who may print any number. */
export function slipsOf({ kind, id }: Actor): Counted<'too-many-slips'> | undefined {
  return kind === 'key' && id !== null ? { kind: 'too-many-slips', by: `slips of key ${id}` } : undefined;
}

export interface OrderCounts {
  /** How many messages with this `orderedBy` were ordered since then. */
  countOrdered(orderedBy: string, sinceMs: number): Promise<number>;
  /** When a message was ordered: `index` counts the messages of `countOrdered`, beginning with the oldest. */
  findOrderedAt(orderedBy: string, sinceMs: number, index: number): Promise<number | undefined>;
}

/** Undefined if `count` more may be ordered, besides `before` messages that are about to be stored. */
export async function findTooMany<What extends Kind>(
  counts: OrderCounts,
  { kind, by }: Counted<What>,
  { count, before = 0, nowMs }: { count: number; before?: number; nowMs: number },
): Promise<TooManyOrdered<What> | undefined> {
  const sinceMs = nowMs - HOUR_MS;
  const tooMany = (await counts.countOrdered(by, sinceMs)) + before + count - MAX_ORDERED_PER_HOUR;
  if (tooMany <= 0) return undefined;
  // Once this message is an hour old, the order is allowed.
  const lastAtMs = await counts.findOrderedAt(by, sinceMs, tooMany - 1);
  const leftMs = (lastAtMs ?? nowMs) + HOUR_MS - nowMs;
  return { kind, retryAfterS: Math.ceil(Math.min(Math.max(leftMs, 1_000), HOUR_MS) / 1_000) };
}

/** Refuses early. Orders of vouchers are counted once more when they are stored, over all instances. */
export interface OrderLimit {
  /** Counts these messages as ordered, until the result is disposed of. By then, they must be in the database. */
  take<What extends Kind>(
    counted: Counted<What>,
    count: number,
  ): Promise<Result<Disposable, TooManyOrdered<What>>>;
}

export function makeOrderLimit({ counts, clock }: { counts: OrderCounts; clock: Clock }): OrderLimit {
  const underWay = new Map<string, number>();

  function add(orderedBy: string, count: number): void {
    const sum = (underWay.get(orderedBy) ?? 0) + count;
    if (sum === 0) underWay.delete(orderedBy);
    else underWay.set(orderedBy, sum);
  }

  return {
    async take(counted, count) {
      const { by } = counted;
      // Counted before the database is read: the other way round, messages that are written meanwhile would be missed.
      const before = underWay.get(by) ?? 0;
      add(by, count);
      using taken = new DisposableStack();
      taken.defer(() => add(by, -count));
      const tooMany = await findTooMany(counts, counted, { count, before, nowMs: clock.nowMs() });
      return tooMany ? fail(tooMany) : ok(taken.move());
    },
  };
}
