// Limits how many mails one user, API key or command line can order in an hour, so that a stolen key cannot be used to
// send spam. Counts the mails in the database and those that this process is about to write.

import type { Clock } from '../clock.ts';
import { fail, ok, type Result } from '../result.ts';
import type { MailStore } from './mail.ts';

export const MAX_MAILS_PER_HOUR = 500;
const HOUR_MS = 60 * 60_000;

export interface TooManyMails {
  kind: 'too-many-mails';
  retryAfterS: number;
}

export interface MailLimit {
  /** Counts these mails as ordered, until the result is disposed of. By then, they must be in the database. */
  take(orderedBy: string, count: number): Promise<Result<Disposable, TooManyMails>>;
}

interface Deps {
  mails: Pick<MailStore, 'countOrdered' | 'findOrderedAt'>;
  clock: Clock;
}

export function makeMailLimit({ mails, clock }: Deps): MailLimit {
  const underWay = new Map<string, number>();

  function add(orderedBy: string, count: number): void {
    const sum = (underWay.get(orderedBy) ?? 0) + count;
    if (sum === 0) underWay.delete(orderedBy);
    else underWay.set(orderedBy, sum);
  }

  return {
    async take(orderedBy, count) {
      // Counted before the database is read: the other way round, mails that are written meanwhile would be missed.
      const before = underWay.get(orderedBy) ?? 0;
      add(orderedBy, count);
      using taken = new DisposableStack();
      taken.defer(() => add(orderedBy, -count));
      const nowMs = clock.nowMs();
      const sinceMs = nowMs - HOUR_MS;
      const tooMany = (await mails.countOrdered(orderedBy, sinceMs)) + before + count - MAX_MAILS_PER_HOUR;
      if (tooMany <= 0) return ok(taken.move());
      // Once this mail is an hour old, the order is allowed.
      const lastAtMs = await mails.findOrderedAt(orderedBy, sinceMs, tooMany - 1);
      const leftMs = (lastAtMs ?? nowMs) + HOUR_MS - nowMs;
      const retryAfterS = Math.ceil(Math.min(Math.max(leftMs, 1_000), HOUR_MS) / 1_000);
      return fail({ kind: 'too-many-mails', retryAfterS });
    },
  };
}
