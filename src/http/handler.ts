// A request as the scripts see it, and the answer they give back. Scripts return answers; only the
// server writes them.

import type { IncomingHttpHeaders } from 'node:http';
import type { Result } from '../domain/result.ts';
import { type HttpProblem, type Refusal, refusalOf } from './problem-response.ts';

export interface HttpRequest {
  /** Goes into the log and into the answer's X-Request-Id. */
  id: string;
  method: string;
  /** What follows the question mark, undecoded. */
  query: string;
  headers: IncomingHttpHeaders;
  isHttps(): boolean;
  clientAddress(): string;
  /** The whole body as bytes, unless it is larger than a body may be: 64 KiB where nothing else is said. */
  readBody(maxBytes?: number): Promise<Result<Buffer, { kind: 'body-too-large' }>>;
  /** Set as soon as it is known, for the log. */
  keyId?: string;
  /** Goes with the answer whatever it turns out to be. */
  responseHeaders?: Record<string, string>;
}

export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
  /** While the answer is true if nothing is changed; not given for answers that hold only once. */
  fresh?: { fromMs: number; untilMs: number };
}

export type Handler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

export const JSON_TYPE = 'application/json; charset=utf-8';

export function jsonResponse(status: number, value: unknown, headers?: Record<string, string>): HttpResponse {
  return {
    status,
    headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(value),
  };
}

export function problemResponse(problem: HttpProblem): HttpResponse {
  const { status, error, message, headers }: Refusal = refusalOf(problem);
  return jsonResponse(status, { error, message }, headers);
}
