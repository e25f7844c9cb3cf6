// Handlers for operators: liveness, readiness and metrics. Their paths are outside the base path and need no API key.

import { type Handler, jsonResponse, problemResponse } from './handler.ts';

interface Deps {
  findReadinessFailures: () => Promise<string[]>;
  renderMetrics: () => Promise<{ contentType: string; text: string }>;
}

export function makeOperations({ findReadinessFailures, renderMetrics }: Deps): Record<string, Handler> {
  return {
    '/healthz': readOnly(async () => jsonResponse(200, { status: 'ok' })),

    '/readyz': readOnly(async () => {
      const obstacles = await findReadinessFailures();
      return obstacles.length === 0
        ? jsonResponse(200, { status: 'ready', obstacles })
        : jsonResponse(503, { status: 'not ready', obstacles });
    }),

    '/metrics': readOnly(async () => {
      const { contentType, text } = await renderMetrics();
      return {
        status: 200,
        headers: { 'content-type': contentType, 'cache-control': 'no-store' },
        body: text,
      };
    }),
  };
}

/** Accepts GET and HEAD, because some health checks send HEAD. */
function readOnly(script: Handler): Handler {
  return async (request) =>
    request.method === 'GET' || request.method === 'HEAD'
      ? script(request)
      : problemResponse({ kind: 'method-not-allowed', allowed: ['GET', 'HEAD'] });
}
