// Sends one HTTP request through undici's `dispatch` and reads its response. Unlike undici's `request`, it makes no
// stream for the response, and one timer and one abort listener end the call at any time, also while it connects.

import type { Dispatcher, Pool } from 'undici';
import { ListRefused, listTooLong } from './failures.ts';

const MAX_TEXT_BYTES = 4 * 1024 * 1024;
/** Lists are streamed, so this limit only stops a response that never ends. */
const MAX_LIST_BYTES = 512 * 1024 * 1024;

export interface UpstreamResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export type OnText = (text: string) => Promise<void>;

/** The call took longer than its time limit, or its caller aborted it. */
export class NotInTime extends Error {}

export class TooLong extends Error {}

/** The `onText` callback failed: this is not a failure of the controller. */
export class ReaderFailed extends Error {}

interface Options {
  signal: AbortSignal;
  timeoutMs: number;
  /** Gets the text of a 200 response as it arrives; the returned response then has an empty text. */
  onText: OnText | undefined;
}

export async function dispatchCall(
  openPool: () => Promise<Pool>,
  request: Dispatcher.DispatchOptions,
  { signal, timeoutMs, onText }: Options,
): Promise<UpstreamResponse> {
  if (signal.aborted) throw new NotInTime();
  const { promise, resolve, reject } = Promise.withResolvers<UpstreamResponse>();
  let controller: Dispatcher.DispatchController | undefined;
  let isLate = false;
  const end = (error: Error) => {
    reject(error);
    controller?.abort(error);
  };
  const endLate = () => {
    isLate = true;
    end(new NotInTime());
  };
  const timer = setTimeout(endLate, timeoutMs);
  signal.addEventListener('abort', endLate);
  let response: Omit<UpstreamResponse, 'text'>;
  let body = makeCollectedBody();

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      controller = started;
      if (isLate) started.abort(new NotInTime());
    },
    onResponseStart(_, status, headers) {
      // A status below 200 only announces the response.
      if (status < 200) return;
      response = { status, headers };
      if (onText && status === 200)
        body = makePassedBody({ onText, end, length: Number(headers['content-length']) });
    },
    onResponseData: (current, chunk) => body.add(chunk, current),
    onResponseEnd: () => void body.text().then((text) => resolve({ ...response, text }), end),
    onResponseError(_, error) {
      const fail = () => reject(error);
      // `onText` may still be at work.
      body.text().then(fail, fail);
    },
  };
  openPool()
    .then((pool) => pool.dispatch(request, handler))
    .catch(reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', endLate);
  }
}

interface Body {
  /** If it throws, undici ends the request with this error. */
  add(chunk: Buffer, controller: Dispatcher.DispatchController): void;
  /** Called at the end of the response. */
  text(): Promise<string>;
}

function makeCollectedBody(): Body {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    add(chunk) {
      bytes += chunk.length;
      if (bytes > MAX_TEXT_BYTES) throw new TooLong();
      chunks.push(chunk);
    },
    text: async () => Buffer.concat(chunks).toString('utf8'),
  };
}

interface PassedBody {
  onText: OnText;
  end: (error: Error) => void;
  /** In bytes, as the response announces it; may be NaN. */
  length: number;
}

/** While `onText` runs, nothing more is read from the connection. */
function makePassedBody({ onText, end, length }: PassedBody): Body {
  const decoder = new TextDecoder();
  let bytes = 0;
  let passed = Promise.resolve();
  return {
    add(chunk, controller) {
      // undici resumes with an empty chunk: pausing again would repeat this for ever.
      if (chunk.length === 0) return;
      bytes += chunk.length;
      if (bytes > MAX_LIST_BYTES) throw new ListRefused(listTooLong());
      // If the connection were closed while the last chunk is paused, undici would take the response for incomplete.
      if (bytes !== length) controller.pause();
      // If the connection is closed, undici passes on all it has received, although the response is paused. So each
      // chunk waits for the one before.
      passed = passed.then(() => onText(decoder.decode(chunk, { stream: true })));
      passed.then(
        () => controller.resume(),
        (cause) => end(new ReaderFailed('the reader failed', { cause })),
      );
    },
    text: () => passed.then(() => ''),
  };
}
