// Refusals of the official API: one flat object for every kind of refusal. Only a missing or wrong API key is refused
// by the console itself, in the console's own format.

import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { type ConsoleResponse, jsonResponse } from '../http.ts';

export interface Refusal {
  status: number;
  code: string;
  message: string;
  headers?: Record<string, string>;
}

export interface RefusalContext {
  /** The path of the request without the prefix `/proxy/network`. */
  path: string;
  nowMs: number;
  /** Versions before Network 10 send no code. */
  hasCode: boolean;
}

export function refusalResponse(
  { status, code, message, headers }: Refusal,
  context: RefusalContext,
): ConsoleResponse {
  const problem = {
    statusCode: status,
    statusName: (STATUS_CODES[status] ?? 'Unknown').toUpperCase().replaceAll(/[^A-Z]+/g, '_'),
    ...(context.hasCode && { code }),
    message,
    timestamp: new Date(context.nowMs).toISOString(),
    requestPath: context.path,
    requestId: randomUUID(),
  };
  return jsonResponse(status, problem, { 'Content-Type': 'application/json', ...headers });
}

export const notFound = (what: string): Refusal => ({
  status: 404,
  code: 'api.resource-not-found',
  message: `${what} not found`,
});

export const typeMismatch = (name: string): Refusal => ({
  status: 400,
  code: 'api.request.argument-type-mismatch',
  message: `Argument '${name}' has a wrong type`,
});

export const outOfBounds = (message: string): Refusal => ({
  status: 400,
  code: 'api.request.validation-failed',
  message,
});

export const badRequest = (message: string): Refusal => ({
  status: 400,
  code: 'api.request.error',
  message,
});
