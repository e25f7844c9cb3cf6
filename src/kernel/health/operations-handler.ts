// Handlers for operators: liveness, readiness and metrics. Their paths are outside the base path and need no API key;
// the metrics may need a token of their own.

import { hash, timingSafeEqual } from 'node:crypto';
import { type Handler, type HttpResponse, jsonResponse } from '../../platform/http/handler.ts';
import { problemResponse } from '../contract/problem-response.ts';
import { bearerToken } from '../contract/with-api-key.ts';

interface Deps {
  version: string;
  findReadinessFailures: () => Promise<string[]>;
  metricsToken: string | undefined;
  renderMetrics: () => Promise<{ contentType: string; text: string }>;
}

export function makeOperations(deps: Deps): Record<string, Handler> {
  const { version, findReadinessFailures, metricsToken, renderMetrics } = deps;
  return {
    '/healthz': readOnly(async () => jsonResponse(200, { status: 'ok', version })),

    '/readyz': readOnly(async () => {
      const obstacles = await findReadinessFailures();
      return obstacles.length === 0
        ? jsonResponse(200, { status: 'ready', obstacles })
        : jsonResponse(503, { status: 'not ready', obstacles });
    }),

    '/metrics': readOnly(async ({ headers }) => {
      const given = bearerToken(headers);
      if (metricsToken !== undefined && !isSame(given ?? '', metricsToken)) return refuseMetrics(given);
      const { contentType, text } = await renderMetrics();
      return {
        status: 200,
        headers: { 'content-type': contentType, 'cache-control': 'no-store' },
        body: text,
      };
    }),
  };
}

/** Compares hashes in constant time: neither the length nor the first wrong character shows in the duration. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(given), digest(wanted));
}

function refuseMetrics(given: string | undefined): HttpResponse {
  return jsonResponse(
    401,
    { error: 'unauthorized', message: 'Token für Metriken erforderlich (Authorization: Bearer …)' },
    {
      'www-authenticate': `Bearer realm="gastpass metrics"${given === undefined ? '' : ', error="invalid_token"'}`,
    },
  );
}

/** Accepts GET and HEAD, because some health checks send HEAD. */
export function readOnly(script: Handler): Handler {
  return async (request) =>
    request.method === 'GET' || request.method === 'HEAD'
      ? script(request)
      : problemResponse({ kind: 'method-not-allowed', allowed: ['GET', 'HEAD'] });
}
