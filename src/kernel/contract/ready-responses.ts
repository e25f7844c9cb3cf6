// Caches per API key and query how to repeat a response, until the change stamp of the database changes. Used only if
// the database engine reports changes (SQLite).

import { type HttpRequest, type HttpResponse, hasBody } from '../../platform/http/handler.ts';
import { makeSizedCache } from '../../platform/http/sized-cache.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { ApiKey } from '../keys/api-key.ts';

/** Enough for 10,000 keys that list one site each. */
const MAX_BYTES = 8_000_000;
/** What an entry takes beside the bytes of the response. */
const BYTES_PER_ENTRY = 500;

interface ReadyResponse {
  apiKey: ApiKey;
  response: HttpResponse;
}

interface Kept {
  apiKey: ApiKey;
  again: () => HttpResponse | undefined;
}

interface Deps {
  changeStamp: () => number | undefined;
  clock: Clock;
}

export function makeReadyResponses({ changeStamp, clock }: Deps) {
  const ready = makeSizedCache<string, Kept>(MAX_BYTES);
  let readyStamp: number | undefined;

  return {
    find(keyText: string, { method, query, headers }: HttpRequest): ReadyResponse | undefined {
      if (method !== 'GET' || hasBody({ headers })) return undefined;
      const found = ready.get(nameOf(keyText, query));
      if (!found || changeStamp() !== readyStamp) return undefined;
      const { apiKey, again } = found;
      if (apiKey.expiresAtMs !== null && clock.nowMs() >= apiKey.expiresAtMs) return undefined;
      const response = again();
      return response && { apiKey, response };
    },

    /**
     * `stamp` must be read before the response is made, so that a change in the meantime invalidates the response. A
     * response that depends on parameters in the path is not kept: the cache does not know the path.
     */
    keep(
      keyText: string,
      { method, query, parameters }: HttpRequest,
      { stamp, response, apiKey }: ReadyResponse & { stamp: number | undefined },
    ): void {
      const { reuse } = response;
      if (method !== 'GET' || parameters?.length || !reuse || stamp === undefined) return;
      if (stamp !== readyStamp) {
        ready.clear();
        readyStamp = stamp;
      }
      const name = nameOf(keyText, query);
      ready.set(name, { apiKey, again: reuse.again }, name.length + BYTES_PER_ENTRY + reuse.bytes);
    },
  };
}

/** A query contains no space, so the last space separates the two. */
const nameOf = (keyText: string, query: string): string => `${keyText} ${query}`;
