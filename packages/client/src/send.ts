// Sends the requests of the client. A failed request is repeated if another attempt may succeed.

import { GastpassError, readError } from './gastpass-error.ts';
import { decideRetry, type Failure, pause, pauseBefore, type Retry } from './retry.ts';

export interface ClientOptions {
  /** The base address of the API, for example `https://wifi.example.org/api`. */
  url: string;
  key: string;
  /** How long to wait for one answer. The service answers within 20 seconds. */
  timeoutMs?: number;
  /**
   * How long to keep repeating a failed request; 0 means no repetition. By default a minute, or two minutes if a
   * voucher may exist: usually enough to get it.
   */
  patienceMs?: number;
  fetch?: typeof fetch;
}

export interface Request {
  /** Begins after `/v1`. */
  path: string;
  /** GET by default. */
  method?: 'GET' | 'POST';
  body?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

export interface ApiResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** Repeats the same request until it succeeds, another attempt cannot help, or the patience is over. */
export type Send = (request: Request) => Promise<ApiResponse>;

export function makeSend(options: ClientOptions): Send {
  const { timeoutMs = 30_000, patienceMs } = options;
  const base = `${readBase(options.url)}/v1`;
  const key = readKey(options.key);
  const send = options.fetch ?? fetch;

  return async function call(request) {
    const startedAtMs = performance.now();
    const creates = request.headers?.['idempotency-key'] !== undefined;
    let mayExist = false;
    let cause: string | undefined;
    for (let next = 2; ; next++) {
      const response = await attempt(request, { creates, mayExist, cause });
      if (!(response instanceof GastpassError)) return response;
      cause = response.cause;
      mayExist ||= creates && response.retry !== 'no' && response.retry !== 'yes';
      const elapsedMs = performance.now() - startedAtMs;
      const waitMs = pauseBefore(next, response, { elapsedMs, patienceMs });
      if (waitMs === undefined) throw response;
      await pause(waitMs, request.signal);
    }
  };

  async function attempt(
    { path, method = 'GET', body, headers: more, signal }: Request,
    { cause, ...state }: Pick<Failure, 'creates' | 'mayExist'> & { cause: string | undefined },
  ): Promise<ApiResponse | GastpassError> {
    const headers = new Headers({ authorization: `Bearer ${key}`, ...more });
    if (body !== undefined) headers.set('content-type', 'application/json');
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await send(base + path, {
        method,
        headers,
        ...(body !== undefined && { body }),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        // Do not follow redirects: fetch would repeat a redirected POST as a GET.
        redirect: 'manual',
      });
      const text = await response.text();
      const { status } = response;
      return response.ok || status === 304
        ? { status, headers: response.headers, text }
        : readError({ status, headers: response.headers, text }, { ...state, cause });
    } catch (error) {
      signal?.throwIfAborted();
      const why = timeout.aborted ? `within ${timeoutMs} ms` : whyOf(error);
      return new GastpassError(`No answer from ${base}: ${why}`, {
        code: 'no-answer',
        cause,
        retry: decideRetry({ told: toldByNetwork(error), ...state }),
      });
    }
  }
}

/** The message does not repeat the value: somebody may have passed the key instead. */
function readBase(url: string | undefined): string {
  const expected = 'pass the base address of the API, such as https://wifi.example.org/api';
  if (!url) throw new TypeError(`The url is missing: ${expected}`);
  if (!/^https?:\/\//i.test(url)) throw new TypeError(`The url lacks https:// at its beginning: ${expected}`);
  if (!URL.canParse(url)) throw new TypeError(`The url is not an address: ${expected}`);
  return url.replace(/\/+$/, '');
}

function readKey(key: string | undefined): string {
  if (!key) throw new TypeError('The key is missing: pass an API key');
  if (!/^[\x21-\x7e]+$/.test(key.trim()))
    throw new TypeError('The key contains characters that no API key has');
  return key.trim();
}

/** The message `fetch failed` does not tell the reason; the `cause` of the error does. */
function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message ? error.cause.message : error.message;
}

/** What the error of a connection tells: the request was certainly not sent, or a certificate is not accepted. */
function toldByNetwork(error: unknown): Retry | null {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  if (/CERT|SIGNATURE/.test(code)) return 'no';
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(code) ? 'yes' : null;
}
