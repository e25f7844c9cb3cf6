// The request that a handler receives and the response that it returns. Handlers return responses; only the
// server writes them to the connection.

import type { IncomingHttpHeaders } from 'node:http';
import type { Result } from '../values/result.ts';
import type { BodyLimits, TooLarge } from './read-body.ts';

export interface HttpRequest {
  /** Written to the log and to the X-Request-Id header of the response. */
  id: string;
  method: string;
  /** The part of the URL after the question mark, not decoded. */
  query: string;
  headers: IncomingHttpHeaders;
  isHttps(): boolean;
  clientIp(): string;
  /** Returns all values of the header; `name` is in lower case. Empty if the direct peer is not a trusted proxy. */
  headerOfProxy(name: string): string[];
  /**
   * Reads the whole body as bytes. Fails if the body is too large, by default larger than 64 KiB, or if it arrives too
   * slowly. The response to a slow body must close the connection.
   */
  readBody(limits?: BodyLimits): Promise<Result<Buffer, TooLarge | { kind: 'body-too-slow' }>>;
  /** The id of the API key. Set as soon as the key is verified. */
  keyId?: string;
  /** The beginning of a refused key, without the secret part. */
  keyPrefix?: string;
  /** The id of the signed-in user. Set as soon as the session is found. */
  userId?: number;
  /** The id of the screen. Set as soon as the cookie of its device is found. */
  screenId?: number;
  /** Why the API key or the path of a printer was refused, for the log. The response does not say it. */
  refusedBecause?: string;
  /** The id of a refused API key, for the log. */
  refusedKeyId?: string;
  /** The pattern of the matched route, for the log and the metrics, for example `/users/:user`. */
  route?: string;
  /** The parts of the path for which the pattern of an area's route has placeholders, decoded. */
  parameters?: readonly string[];
  /** True for a request that a device repeats all the time. A success is logged at debug level. */
  isRoutine?: boolean;
  /** Headers that are added to the response, whatever its status. */
  responseHeaders?: Record<string, string>;
}

export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
  /** Called when the connection has taken all bytes of the response, or has broken off before. */
  noteWritten?: (isWhole: boolean) => void;
  /** How to repeat the response while the change stamp is unchanged. Absent if the response must not be reused. */
  reuse?: Reuse;
  /** The 304 response for a client that already has this response. It has the same ETag. */
  notModified?: HttpResponse;
}

export interface Reuse {
  /** Returns the current response without reading the database; undefined if the response has to be made anew. */
  again: () => HttpResponse | undefined;
  /** The bytes that are kept in memory only for `again`. */
  bytes: number;
}

export type Handler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

/** What the server itself refuses, and what a handler throws. */
export type ServerProblem =
  | { kind: 'path-unknown' }
  | { kind: 'unreadable' }
  | { kind: 'database-unavailable' }
  | { kind: 'unavailable' }
  /** `isOpen`: the request may have had an effect before the exception. */
  | { kind: 'server-error'; text: string; isOpen: boolean };

export type PresentProblem = (problem: ServerProblem, request: HttpRequest) => HttpResponse;

/** A part of the paths with its own routes and its own form of problems. */
export interface Area {
  includes(path: string): boolean;
  /** Sets the route and the parameters of the request. */
  handlerOf(path: string, request: HttpRequest): Handler;
  presentProblem: PresentProblem;
}

/** Whether a body follows the headers. It need not have arrived. */
export function hasBody({ headers }: Pick<HttpRequest, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

export function jsonResponse(status: number, value: unknown, headers?: Record<string, string>): HttpResponse {
  return {
    status,
    headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(value),
  };
}
