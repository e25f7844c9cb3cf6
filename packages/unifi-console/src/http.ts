// The request and response types of the simulated controller. Handlers return responses; only the server and the faults
// write them to a connection.

import type { IncomingHttpHeaders } from 'node:http';

export type Fields = Record<string, unknown>;

export interface SimulatedRequest {
  method: string;
  /** The path without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface ConsoleResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: string;
}

/** The kinds of request, in both APIs. Faults and counters select requests by operation. */
export const OPERATIONS = [
  'probe',
  'login',
  'logout',
  'self',
  'status',
  'sysinfo',
  'info',
  'sites',
  'create',
  'list',
  'get',
  'delete',
  'guests',
  'guest-command',
  'clients',
  'wlans',
  'unknown',
] as const;
export type Operation = (typeof OPERATIONS)[number];

export const APIS = ['console', 'classic', 'integration'] as const;
/** The format of a response: the console's own, the classic envelope, or that of the official API. */
export type Api = (typeof APIS)[number];

export interface Route {
  operation: Operation;
  api: Api;
  /** Carries out the request. Synchronous, so that no request sees the partial changes of another request. */
  respond(): ConsoleResponse;
}

export const JSON_TYPE = 'application/json;charset=UTF-8';
const HTML_TYPE = 'text/html;charset=UTF-8';

export function jsonResponse(
  status: number,
  value: unknown,
  headers: ConsoleResponse['headers'] = {},
): ConsoleResponse {
  return { status, headers: { 'Content-Type': JSON_TYPE, ...headers }, body: JSON.stringify(value) };
}

export function htmlResponse(
  status: number,
  title: string,
  headers: ConsoleResponse['headers'] = {},
): ConsoleResponse {
  const body = `<!DOCTYPE html><html><head><title>${title}</title></head><body>${title}</body></html>`;
  return { status, headers: { 'Content-Type': HTML_TYPE, ...headers }, body };
}

export function redirectResponse(status: number, location: string): ConsoleResponse {
  return { status, headers: { Location: location }, body: '' };
}

/** An error in the format of the console in front of the Network application. */
export function consoleErrorResponse(status: number, message: string): ConsoleResponse {
  return jsonResponse(status, { error: { code: status, message } });
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined if the text is not a JSON object. */
export function parseFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function cookieOf(request: SimulatedRequest, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const mark = part.indexOf('=');
    if (mark > 0 && part.slice(0, mark).trim() === name) return part.slice(mark + 1).trim();
  }
  return undefined;
}

export function headerOf(request: SimulatedRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
