// Sends one HTTP call to a controller and classifies its failure by whether the call may be repeated. Never follows a
// redirect, never repeats a call, and limits the size of a response.

import type { Dispatcher } from 'undici';
import type { ControllerFailure } from '../../domain/controller.ts';
import { joinSignals } from '../../domain/join-signals.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { CallLimiter, CallOptions } from './call-limiter.ts';
import { connectCause } from './connect-cause.ts';
import { ListRefused, listTooLong, outcomeUnknown, unreachable } from './failures.ts';
import { undici } from './lazy-undici.ts';
import { ConnectFailed } from './trusted-agent.ts';
import { within } from './within.ts';

const CALL_TIMEOUT_MS = 10_000;
const MAX_TEXT_BYTES = 4 * 1024 * 1024;
/** Lists are streamed, so this limit only stops a response that never ends. */
const MAX_LIST_BYTES = 512 * 1024 * 1024;
const LIST_TIMEOUT_MS = 120_000;

export interface UpstreamCall {
  method: 'GET' | 'POST' | 'DELETE';
  /** Appended to the controller's URL. */
  path: string;
  headers?: Record<string, string>;
  json?: unknown;
}

export interface UpstreamResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

type OnText = (text: string) => Promise<void>;
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
  agent: Dispatcher;
  limiter: CallLimiter;
  nextTraceparent?: (() => string | undefined) | undefined;
}

export function makeUpstream({ url, agent, limiter, nextTraceparent }: Deps): Upstream {
  const root = url.replace(/\/+$/, '');

  return {
    send: (call, options) => limiter.run(() => exchangeWithin(call, undefined, options.signal), options),
    stream: (call, onText, options) =>
      limiter.run(() => exchangeWithin(call, onText, options.signal), options),
    limiter,
    close: () => agent.close(),
  };

  /** Applies the timeout while connecting too: undici's request signal does not interrupt a connection attempt. */
  async function exchangeWithin(
    call: UpstreamCall,
    onText: OnText | undefined,
    signal: AbortSignal,
  ): Promise<UpstreamResult> {
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), onText ? LIST_TIMEOUT_MS : CALL_TIMEOUT_MS);
    using both = joinSignals(signal, over.signal);
    try {
      return await within(both.signal, () => exchange(call, onText, both.signal), fail(NOT_IN_TIME));
    } finally {
      clearTimeout(timer);
    }
  }

  async function exchange(
    call: UpstreamCall,
    onText: OnText | undefined,
    signal: AbortSignal,
  ): Promise<UpstreamResult> {
    const traceparent = nextTraceparent?.();
    try {
      const response = await undici().request(root + call.path, {
        dispatcher: agent,
        method: call.method,
        headers: {
          ...call.headers,
          ...(call.json !== undefined && { 'content-type': 'application/json' }),
          ...(traceparent !== undefined && { traceparent }),
        },
        body: call.json === undefined ? null : JSON.stringify(call.json),
        headersTimeout: onText ? LIST_TIMEOUT_MS : CALL_TIMEOUT_MS,
        bodyTimeout: CALL_TIMEOUT_MS,
        signal,
      });
      const { statusCode: status, headers, body } = response;
      const text = onText && status === 200 ? await pass(body, onText) : await collect(body);
      return ok({ status, headers, text });
    } catch (error) {
      if (error instanceof ReaderFailed) throw error.cause;
      if (error instanceof ListRefused) return fail(error.failure);
      return fail(sortFailure(error));
    }
  }
}

const NOT_IN_TIME = outcomeUnknown('too-slow', 'the controller did not answer in time');

class TooLong extends Error {}

/** The `onText` callback failed: this is not a failure of the controller. */
class ReaderFailed extends Error {}

async function collect(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_TEXT_BYTES) throw new TooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function pass(body: AsyncIterable<Buffer>, onText: (text: string) => Promise<void>): Promise<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_LIST_BYTES) throw new ListRefused(listTooLong());
    await onText(decoder.decode(chunk, { stream: true })).catch((cause) => {
      throw new ReaderFailed('the reader failed', { cause });
    });
  }
  return '';
}

function sortFailure(error: unknown): ControllerFailure {
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof ConnectFailed)
    return unreachable(connectCause(error.cause), `no connection to the controller: ${text}`);
  if (error instanceof TooLong)
    return outcomeUnknown('not-controller', 'the controller sent a far too long answer');
  if (error instanceof Error && error.name.endsWith('TimeoutError')) return NOT_IN_TIME;
  return outcomeUnknown('broke-off', `the connection to the controller broke off: ${text}`);
}
