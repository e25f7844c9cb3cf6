// A request as the scripts see it, and the answer they give back. Scripts return answers; only the
// server writes them.

import type { IncomingHttpHeaders } from 'node:http';
import type { Result } from '../domain/result.ts';
import { answerFor, type HttpProblem, type Refusal } from './answer-problem.ts';

export interface Request {
  /** Goes into the log and into the answer's X-Request-Id. */
  id: string;
  method: string;
  /** What follows the question mark, undecoded. */
  query: string;
  headers: IncomingHttpHeaders;
  isHttps(): boolean;
  clientAddress(): string;
  /** The whole body as bytes, unless it is larger than a body may be: 64 KiB where nothing else is said. */
  readBody(atMostBytes?: number): Promise<Result<Buffer, { kind: 'body-too-large' }>>;
  /** Set as soon as it is known, for the log. */
  keyId?: string;
  /** Goes with the answer whatever it turns out to be. */
  answerHeaders?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
  /** While the answer is true if nothing is changed; not given for answers that hold only once. */
  fresh?: { fromMs: number; untilMs: number };
}

export type Script = (request: Request) => Answer | Promise<Answer>;

export const JSON_TYPE = 'application/json; charset=utf-8';

export function answerJson(status: number, value: unknown, headers?: Record<string, string>): Answer {
  return {
    status,
    headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(value),
  };
}

export function answerProblem(problem: HttpProblem): Answer {
  const { status, error, message, headers }: Refusal = answerFor(problem);
  return answerJson(status, { error, message }, headers);
}
