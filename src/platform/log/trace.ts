// The trace that a request belongs to (W3C Trace Context). A caller names it in the header `traceparent`. The log and
// the calls to controllers read it from this file, so that it is not passed through all functions. See
// docs/decisions/0010-logs.md.

import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

interface Trace {
  id: string;
  flags: string;
}

const HEADER = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** The flags that version 00 defines: sampled, and a random trace id. Other bits must not be passed on. */
const KNOWN_FLAGS = 0b11;

const current = new AsyncLocalStorage<Trace>();

/** Runs `run` and everything it starts within the trace of the header. A malformed header is ignored. */
export function withTrace(header: string | string[], run: () => void): void {
  const trace = typeof header === 'string' ? readTraceparent(header) : undefined;
  if (trace) current.run(trace, run);
  else run();
}

export function currentTraceId(): string | undefined {
  return current.getStore()?.id;
}

/** The header for a call that the current request makes: the same trace, and a new id for the call. */
export function nextTraceparent(): string | undefined {
  const trace = current.getStore();
  return trace && `00-${trace.id}-${randomBytes(8).toString('hex')}-${trace.flags}`;
}

export function readTraceparent(header: string): Trace | undefined {
  const [, version, id, parentId, flags = '', rest] = HEADER.exec(header) ?? [];
  if (version === undefined || version === 'ff' || id === undefined || parentId === undefined)
    return undefined;
  // A later version may append fields; version 00 has none.
  if (version === '00' && rest !== undefined) return undefined;
  if (/^0+$/.test(id) || /^0+$/.test(parentId)) return undefined;
  return { id, flags: toHexByte(Number.parseInt(flags, 16) & KNOWN_FLAGS) };
}

function toHexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
