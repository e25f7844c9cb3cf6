// Answers that can be given again without any work: the same key asks the same question, and nothing in the
// database has changed since. Holds only for keys without a limit, and only where the engine tells changes.

import type { Clock } from '../domain/clock.ts';
import type { KeyId } from '../domain/ids.ts';
import type { HttpRequest, HttpResponse } from './handler.ts';

const MAX_ANSWERS = 1_000;

export interface ReadyResponse {
  keyId: KeyId;
  answer: HttpResponse;
}

interface Kept extends ReadyResponse {
  fresh: NonNullable<HttpResponse['fresh']>;
}

interface Deps {
  changeStamp: () => number | undefined;
  clock: Clock;
}

export function makeReadyAnswers({ changeStamp, clock }: Deps) {
  let ready = new Map<string, Map<string, Kept>>();
  let readyStamp: number | undefined;
  let count = 0;

  return {
    find(keyText: string, { method, query, headers }: HttpRequest): ReadyResponse | undefined {
      if (method !== 'GET' || headers['if-none-match'] !== undefined) return undefined;
      const found = ready.get(keyText)?.get(query);
      if (!found || changeStamp() !== readyStamp) return undefined;
      const { fromMs, untilMs } = found.fresh;
      const nowMs = clock.nowMs();
      return nowMs >= fromMs && nowMs < untilMs ? found : undefined;
    },

    /** The stamp is the one from before the answer was made: what changed meanwhile makes it stale. */
    keep(
      keyText: string,
      { method, query }: HttpRequest,
      made: ReadyResponse & { stamp: number | undefined },
    ): void {
      const { stamp, answer, keyId } = made;
      if (method !== 'GET' || !answer.fresh || stamp === undefined) return;
      if (stamp !== readyStamp || count >= MAX_ANSWERS) {
        ready = new Map();
        readyStamp = stamp;
        count = 0;
      }
      const byQuery = ready.get(keyText) ?? new Map<string, Kept>();
      ready.set(keyText, byQuery.set(query, { keyId, answer, fresh: answer.fresh }));
      count++;
    },
  };
}
