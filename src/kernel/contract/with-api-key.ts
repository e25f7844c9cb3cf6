// Checks every request that needs an API key, in the order of the API contract: key, rate limit, method, scope. Only
// then does the handler run, and it receives the key. No body is read before the checks have passed.
// Exception: if a response to an identical request is cached, only the rate limit is checked. A cached response is
// valid until it expires, its key expires, or stored data that it may depend on changes.

import type { IncomingHttpHeaders } from 'node:http';
import type { Handler, HttpRequest, HttpResponse } from '../../platform/http/handler.ts';
import { unlessKnown } from '../../platform/http/if-none-match.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { DatabaseUnavailable } from '../../platform/values/database-unavailable.ts';
import type { SiteId } from '../ids.ts';
import { includesScope, type Scope } from '../keys/api-key.ts';
import type { RateCounter, RateVerdict } from '../keys/rate-window.ts';
import type { KeyRefusal, LastUsed, VerifiedKey, VerifyKey } from '../keys/verify-key.ts';
import type { HttpProblem } from './problem-response.ts';
import { makeReadyResponses } from './ready-responses.ts';

interface ApiKeyMethod {
  scope: Scope;
  run(request: HttpRequest, apiKey: VerifiedKey): Promise<HttpResponse>;
  /** The site whose list version is read together with the key, for `run`. */
  listedSite?(request: HttpRequest): SiteId | undefined;
}

/** A handler for one path, keyed by HTTP method. */
export type ApiKeyHandler = Partial<Record<string, ApiKeyMethod>>;

interface Deps {
  verifyKey: VerifyKey;
  /** Used on SQLite. On PostgreSQL, the look-up of the key has already counted the request, for all instances. */
  rateCounter: RateCounter;
  lastUsed: LastUsed;
  observeKeyRefusal: (reason: KeyRefusal['reason']) => void;
  changeStamp: () => number | undefined;
  clock: Clock;
  presentProblem: (problem: HttpProblem, request: HttpRequest) => HttpResponse;
}

/** The length of `gpk_` or `uvt_` and the eight characters after it. */
const KEY_PREFIX_LENGTH = 12;

export function makeWithApiKey(deps: Deps) {
  const {
    verifyKey,
    rateCounter,
    lastUsed,
    observeKeyRefusal,
    changeStamp,
    clock,
    presentProblem: present,
  } = deps;
  return function withApiKey(handlers: ApiKeyHandler): Handler {
    const allowed = Object.keys(handlers);
    const readyResponses = makeReadyResponses({ changeStamp, clock });

    return function handleWithApiKey(request) {
      const presented = presentedKey(request);
      if (presented === undefined) return present({ kind: 'unauthorized', keyWasSent: false }, request);
      const ready = readyResponses.find(presented, request);
      if (!ready) return handleAnew(request, presented);

      const { apiKey, response: kept } = ready;
      request.keyId = apiKey.id;
      lastUsed.note(apiKey.id, clock.nowMs(), request.clientIp());
      const response = unlessKnown(kept, request);
      return apiKey.rateLimit === 0 ? response : withinLimit(request, apiKey, () => response);
    };

    async function handleAnew(request: HttpRequest, presented: string): Promise<HttpResponse> {
      const stamp = changeStamp();
      request.listedSite = handlers[request.method]?.listedSite?.(request);
      const verified = await verifyKey(presented, request);
      if (!verified.ok) return refuse(request, presented, verified.problem);
      const apiKey = verified.value;
      request.keyId = apiKey.id;
      const handleAndKeep = async () => {
        const response = await handleCounted(request, apiKey);
        readyResponses.keep(presented, request, { apiKey, response, stamp });
        return unlessKnown(response, request);
      };
      return apiKey.rateLimit === 0 ? handleAndKeep() : withinLimit(request, apiKey, handleAndKeep);
    }

    function handleCounted(request: HttpRequest, apiKey: VerifiedKey): HttpResponse | Promise<HttpResponse> {
      const method = handlers[request.method];
      if (!method) return present({ kind: 'method-not-allowed', allowed }, request);
      if (!includesScope(apiKey.scope, method.scope))
        return present({ kind: 'scope-missing', scope: method.scope }, request);
      return method.run(request, apiKey);
    }
  };

  /** The response is the same for every reason. */
  function refuse(request: HttpRequest, presented: string, { reason, keyId }: KeyRefusal): HttpResponse {
    request.refusedBecause = reason;
    request.keyPrefix = presented.slice(0, KEY_PREFIX_LENGTH);
    if (keyId !== undefined) request.refusedKeyId = keyId;
    observeKeyRefusal(reason);
    return present({ kind: 'unauthorized', keyWasSent: true }, request);
  }

  /** Returns no promise if the counter needs none: a promise would make a list request a tenth slower. */
  function withinLimit(
    request: HttpRequest,
    { id, rateLimit, verdict: known }: VerifiedKey,
    handle: () => HttpResponse | Promise<HttpResponse>,
  ): HttpResponse | Promise<HttpResponse> {
    const verdict = known ?? rateCounter.count(id, rateLimit);
    if (!(verdict instanceof Promise)) return judge(verdict);
    return verdict.then(judge, (error) => {
      // If the request cannot be counted, it is refused.
      throw new DatabaseUnavailable(error);
    });

    function judge(counted: RateVerdict): HttpResponse | Promise<HttpResponse> {
      request.responseHeaders = rateHeaders(counted);
      if (counted.accepted) return handle();
      return present({ kind: 'rate-limited', secondsLeft: counted.secondsLeft }, request);
    }
  }
}

/** Reads the Bearer token or, if there is none, the X-API-Key header. A key in the URL is ignored. */
function presentedKey({ headers }: HttpRequest): string | undefined {
  const bearer = bearerToken(headers);
  if (bearer) return bearer;
  const key = headers['x-api-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
}

export function bearerToken({ authorization }: IncomingHttpHeaders): string | undefined {
  return authorization && /^bearer[ \t]+(.+)$/i.exec(authorization)?.[1]?.trim();
}

function rateHeaders({ limit, left, resetAtMs, secondsLeft }: RateVerdict): Record<string, string> {
  return {
    'ratelimit-policy': `"key";q=${limit};w=60`,
    ratelimit: `"key";r=${left};t=${secondsLeft}`,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(left),
    'x-ratelimit-reset': String(Math.ceil(resetAtMs / 1000)),
  };
}

declare module '../../platform/http/handler.ts' {
  interface HttpRequest {
    /**
     * The site whose vouchers the request lists. Set before the key is looked up, so that the key and the version of
     * the site's list are read together.
     */
    listedSite?: SiteId | undefined;
  }
}
