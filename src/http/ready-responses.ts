// Caches responses per API key and query for as long as the database does not change. Used only if the database engine
// reports changes (SQLite).

import type { Clock } from '../domain/clock.ts';
import type { ApiKey } from '../domain/keys/api-key.ts';
import type { HttpRequest, HttpResponse } from './handler.ts';

const MAX_RESPONSES = 1_000;

interface ReadyResponse {
  apiKey: ApiKey;
  response: HttpResponse;
}

interface Kept extends ReadyResponse {
  fresh: NonNullable<HttpResponse['fresh']>;
}

interface Deps {
  changeStamp: () => number | undefined;
  clock: Clock;
}

export function makeReadyResponses({ changeStamp, clock }: Deps) {
  let ready = new Map<string, Map<string, Kept>>();
  let readyStamp: number | undefined;
  let count = 0;

  return {
    find(keyText: string, { method, query }: HttpRequest): ReadyResponse | undefined {
      if (method !== 'GET') return undefined;
      const found = ready.get(keyText)?.get(query);
      if (!found || changeStamp() !== readyStamp) return undefined;
      const { fromMs, untilMs } = found.fresh;
      const nowMs = clock.nowMs();
      return nowMs >= fromMs && nowMs < untilMs ? found : undefined;
    },

    /** `stamp` must be read before the response is made, so that a change in the meantime invalidates the response. */
    keep(
      keyText: string,
      { method, query }: HttpRequest,
      made: ReadyResponse & { stamp: number | undefined },
    ): void {
      const { stamp, response, apiKey } = made;
      if (method !== 'GET' || !response.fresh || stamp === undefined) return;
      if (stamp !== readyStamp || count >= MAX_RESPONSES) {
        ready = new Map();
        readyStamp = stamp;
        count = 0;
      }
      const { fromMs, untilMs } = response.fresh;
      const fresh = { fromMs, untilMs: Math.min(untilMs, apiKey.expiresAtMs ?? untilMs) };
      const byQuery = ready.get(keyText) ?? new Map<string, Kept>();
      ready.set(keyText, byQuery.set(query, { apiKey, response, fresh }));
      count++;
    },
  };
}
