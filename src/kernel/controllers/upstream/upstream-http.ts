// Sends one HTTP call to a controller and classifies its failure by whether the call may be repeated. Never follows a
// redirect, never repeats a call, and limits the size of a response.

import type { Dispatcher } from 'undici';
import { fail, ok, type Result } from '../../../platform/values/result.ts';
import type { ControllerFailure } from '../controller.ts';
import type { CallLimiter, CallOptions } from './call-limiter.ts';
import { connectCause } from './connect-cause.ts';
import {
  dispatchCall,
  NotInTime,
  type OnText,
  ReaderFailed,
  TooLong,
  type UpstreamResponse,
} from './dispatch-call.ts';
import { ListRefused, outcomeUnknown, unreachable } from './failures.ts';
import { ConnectFailed, type TrustedPool } from './trusted-pool.ts';

export type { UpstreamResponse } from './dispatch-call.ts';

const CALL_TIMEOUT_MS = 10_000;
const LIST_TIMEOUT_MS = 120_000;

export interface UpstreamCall {
  method: 'GET' | 'POST' | 'DELETE';
  /** Appended to the controller's URL. */
  path: string;
  headers?: Record<string, string>;
  json?: unknown;
}

export type UpstreamResult = Result<UpstreamResponse, ControllerFailure>;

export interface Upstream {
  send(call: UpstreamCall, options: CallOptions): Promise<UpstreamResult>;
  /** Passes the text of a 200 response to `onText` as it arrives; the returned response then has an empty text. */
  stream(call: UpstreamCall, onText: OnText, options: CallOptions): Promise<UpstreamResult>;
  limiter: Pick<CallLimiter, 'overload' | 'isBusy'>;
  close(): Promise<void>;
}

interface Deps {
  url: string;
  pool: TrustedPool;
  limiter: CallLimiter;
  nextTraceparent?: (() => string | undefined) | undefined;
}

export function makeUpstream({ url, pool, limiter, nextTraceparent }: Deps): Upstream {
  const root = url.replace(/\/+$/, '');

  return {
    send: (call, options) => limiter.run(() => exchange(call, undefined, options.signal), options),
    stream: (call, onText, options) => limiter.run(() => exchange(call, onText, options.signal), options),
    limiter,
    close: () => pool.close(),
  };

  async function exchange(
    call: UpstreamCall,
    onText: OnText | undefined,
    signal: AbortSignal,
  ): Promise<UpstreamResult> {
    try {
      const timeoutMs = onText ? LIST_TIMEOUT_MS : CALL_TIMEOUT_MS;
      return ok(await dispatchCall(pool.open, requestOf(call), { signal, timeoutMs, onText }));
    } catch (error) {
      if (error instanceof ReaderFailed) throw error.cause;
      if (error instanceof ListRefused) return fail(error.failure);
      return fail(sortFailure(error));
    }
  }

  function requestOf({ method, path, headers, json }: UpstreamCall): Dispatcher.DispatchOptions {
    const { pathname, search } = new URL(root + path);
    const traceparent = nextTraceparent?.();
    return {
      method,
      path: pathname + search,
      headers: {
        ...headers,
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(traceparent !== undefined && { traceparent }),
      },
      body: json === undefined ? null : JSON.stringify(json),
      // `dispatchCall` limits the whole call.
      headersTimeout: 0,
      // The longest pause between two parts of a list.
      bodyTimeout: CALL_TIMEOUT_MS,
    };
  }
}

const NOT_IN_TIME = outcomeUnknown('too-slow', 'the controller did not answer in time');

function sortFailure(error: unknown): ControllerFailure {
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof ConnectFailed)
    return unreachable(connectCause(error.cause), `no connection to the controller: ${text}`);
  if (error instanceof TooLong)
    return outcomeUnknown('not-controller', 'the controller sent a far too long answer');
  if (error instanceof NotInTime || (error instanceof Error && error.name === 'BodyTimeoutError'))
    return NOT_IN_TIME;
  return outcomeUnknown('broke-off', `the connection to the controller broke off: ${text}`);
}
