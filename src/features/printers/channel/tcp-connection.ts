// A connection to an ESC/POS printer. Every step has a time limit, and fails as soon as the connection does.

import { once } from 'node:events';
import { connect, type LookupFunction, type Socket } from 'node:net';
import { joinSignals } from '../../../platform/concurrency/join-signals.ts';
import { findLiteralIssue, makeGuardedLookup } from '../../../platform/network/targets/guarded-lookup.ts';
import type { TargetRule } from '../../../platform/network/targets/ip-rules.ts';
import { makeSharedDnsLookup } from '../../../platform/network/targets/shared-dns-lookup.ts';
import type { PrinterAddress } from '../printer-address.ts';
import { makeReadReplies, type Reply } from './status-replies.ts';

/** No printer says more during one job. */
const MAX_READ_BYTES = 4 * 1024;
/** A write of this size shows that the printer still takes bytes. */
const CHUNK_BYTES = 4 * 1024;

export interface PrinterConnection extends Disposable {
  /** Replies that came before no longer count. Throws if the printer takes no bytes for this time. */
  write(bytes: Uint8Array, limitMs: number): Promise<void>;
  /** Skips replies of the other kind. Undefined if there is none within the time. */
  nextReply(to: Reply['to'], limitMs: number): Promise<Reply | undefined>;
  /** Whether the printer has answered a question so far. */
  hasAnswered(): boolean;
  /** Whether the device has sent what no printer says. */
  isForeign(): boolean;
  /** Says that nothing more will be sent, and waits until the printer has closed the connection. */
  leave(limitMs: number): Promise<void>;
}

export interface PrinterNetwork {
  /** Rejects if the printer cannot be reached. */
  open(address: PrinterAddress, limitMs: number, signal: AbortSignal): Promise<PrinterConnection>;
}

export function makePrinterNetwork(rule: TargetRule): PrinterNetwork {
  const lookup = makeGuardedLookup(rule, makeSharedDnsLookup());
  return {
    async open(address, limitMs, signal) {
      const issue = findLiteralIssue(address.host, rule);
      if (issue) throw new Error(issue);
      return converse(await openSocket(address, { lookup, limitMs, signal }), signal);
    },
  };
}

async function openSocket(
  { host, port }: PrinterAddress,
  { lookup, limitMs, signal }: { lookup: LookupFunction; limitMs: number; signal: AbortSignal },
): Promise<Socket> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), limitMs);
  using both = joinSignals(signal, over.signal);
  const socket = connect({ host, port, lookup, noDelay: true, allowHalfOpen: true });
  // An error that nobody waits for must not end the process.
  socket.on('error', () => {});
  try {
    await once(socket, 'connect', { signal: both.signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw over.signal.aborted ? new Error(`no connection within ${limitMs / 1000} s`) : error;
  } finally {
    clearTimeout(timer);
  }
}

function converse(socket: Socket, signal: AbortSignal): PrinterConnection {
  const readReplies = makeReadReplies();
  const replies: Reply[] = [];
  const broken = Promise.withResolvers<never>();
  // Whoever waits for a step gets the failure.
  broken.promise.catch(() => {});
  let readBytes = 0;
  let hasAnswered = false;
  let isForeign = false;
  let noteReply = () => {};
  let hasLeft = false;

  function fail(error: Error): void {
    broken.reject(error);
    socket.destroy();
  }
  const stop = () => fail(new Error('stopped'));
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the printer closed the connection')));
  socket.on('end', () => {
    if (!hasLeft) fail(new Error('the printer closed the connection'));
  });
  socket.on('data', (chunk) => {
    readBytes += chunk.length;
    if (readBytes > MAX_READ_BYTES) return fail(new Error('the printer sends too much'));
    replies.push(...readReplies(chunk));
    hasAnswered ||= replies.some(({ to }) => to === 'now');
    isForeign ||= replies.some(({ to }) => to === 'foreign');
    return noteReply();
  });

  return {
    async write(bytes, limitMs) {
      replies.length = 0;
      for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
        const { promise, resolve } = Promise.withResolvers<true>();
        socket.write(bytes.subarray(start, start + CHUNK_BYTES), (error) => error || resolve(true));
        if (!(await within(promise, limitMs)))
          throw new Error(`the printer took no bytes for ${limitMs / 1000} s`);
      }
    },
    async nextReply(to, limitMs) {
      const { promise, resolve } = Promise.withResolvers<Reply>();
      noteReply = () => {
        const index = replies.findIndex((reply) => reply.to === to);
        const [found] = index < 0 ? [] : replies.splice(0, index + 1).slice(-1);
        if (found) resolve(found);
      };
      noteReply();
      return within(promise, limitMs);
    },
    hasAnswered: () => hasAnswered,
    isForeign: () => isForeign,
    async leave(limitMs) {
      hasLeft = true;
      const { promise, resolve } = Promise.withResolvers<true>();
      socket.on('end', () => resolve(true));
      socket.end();
      await within(promise, limitMs);
    },
    [Symbol.dispose]() {
      signal.removeEventListener('abort', stop);
      socket.destroy();
    },
  };

  /** Undefined after the time. Rejects if the connection fails. */
  async function within<Value>(step: Promise<Value>, limitMs: number): Promise<Value | undefined> {
    const over = Promise.withResolvers<undefined>();
    // If this process was busy, the reply may have arrived already. `setImmediate` lets it be read before the time is
    // over.
    const timer = setTimeout(() => setImmediate(over.resolve, undefined), limitMs);
    try {
      return await Promise.race([step, over.promise, broken.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}
