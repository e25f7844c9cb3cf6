// What stands in front of the keyed scripts, in the order the contract fixes: key, rate limit, method,
// scope. Only then the script runs, with the key it was called with. No body is read before that.

import { DatabaseUnavailable } from '../domain/database-unavailable.ts';
import { type ApiKey, includesScope, type Scope } from '../domain/keys/api-key.ts';
import type { RateCounter, RateVerdict } from '../domain/keys/rate-window.ts';
import type { VerifyKey } from '../domain/keys/verify-key.ts';
import { type Answer, answerProblem, type Request, type Script } from './exchange.ts';

export interface KeyedMethod {
  scope: Scope;
  run(request: Request, apiKey: ApiKey): Promise<Answer>;
}

/** A script by its methods. */
export type KeyedScript = Partial<Record<string, KeyedMethod>>;

export function makeKeyed(needs: { verifyKey: VerifyKey; rateCounter: RateCounter }) {
  const { verifyKey, rateCounter } = needs;

  return function keyed(script: KeyedScript): Script {
    const allowed = Object.keys(script);

    return async function answerKeyed(request) {
      const presented = presentedKey(request);
      const apiKey = presented === undefined ? undefined : await verifyKey(presented);
      if (!apiKey) return answerProblem({ kind: 'unauthorized', keyWasSent: presented !== undefined });
      request.keyId = apiKey.id;
      if (apiKey.rateLimit === 0) return answerCounted(request, apiKey);

      const verdict = await count(apiKey);
      request.answerHeaders = rateHeaders(verdict);
      if (!verdict.accepted) return answerProblem({ kind: 'rate-limited', secondsLeft: verdict.secondsLeft });
      return answerCounted(request, apiKey);
    };

    async function answerCounted(request: Request, apiKey: ApiKey): Promise<Answer> {
      const method = script[request.method];
      if (!method) return answerProblem({ kind: 'method-not-allowed', allowed });
      if (!includesScope(apiKey.scope, method.scope))
        return answerProblem({ kind: 'scope-missing', scope: method.scope });
      return method.run(request, apiKey);
    }
  };

  async function count(apiKey: ApiKey): Promise<RateVerdict> {
    try {
      return await rateCounter.count(apiKey.id, apiKey.rateLimit);
    } catch (error) {
      // A limit that cannot be counted lets nobody through.
      throw new DatabaseUnavailable(error);
    }
  }
}

/** A Bearer credential goes first; without one, X-API-Key. Never the URL. */
function presentedKey({ headers }: Request): string | undefined {
  const bearer = headers.authorization && /^bearer[ \t]+(.+)$/i.exec(headers.authorization)?.[1];
  if (bearer) return bearer.trim();
  const key = headers['x-api-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
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
