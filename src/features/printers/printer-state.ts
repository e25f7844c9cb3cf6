// Says in which state a printer is now, and what an administrator can do about it.

import { type OrUnknown, UNKNOWN } from '../../platform/values/unknown-value.ts';
import { isPolling, type Printer, type PrinterState } from './printer.ts';

/** A printer that has not asked for jobs for this long is silent. */
export const SILENT_AFTER_MS = 5 * 60_000;

/** `new`: there was no contact with the printer yet. */
export type ShownState = OrUnknown<PrinterState> | 'new';

export interface StateNow {
  state: ShownState;
  /** Since when the printer has been in this state; null before the first contact. */
  sinceMs: number | null;
  /** What the printer or the network said. */
  words: string | null;
}

type Known = Pick<Printer, 'kind' | 'status' | 'seenAtMs'>;

export function stateNow(printer: Known, nowMs: number): StateNow {
  const { status, seenAtMs } = printer;
  if (!status) return { state: 'new', sinceMs: null, words: null };
  // A time in the future comes from a clock that was set back since.
  if (isPolling(printer) && seenAtMs !== null && Math.abs(nowMs - seenAtMs) > SILENT_AFTER_MS)
    return { state: 'silent', sinceMs: Math.min(seenAtMs, nowMs), words: null };
  return { state: status.state, sinceMs: status.atMs, words: status.words };
}

/** A state in which the printer prints nothing. */
export type FailingState = Exclude<PrinterState, 'ready'>;

/** False before the first contact: the printer may not be set up yet. */
export function hasProblem(state: ShownState): state is FailingState {
  return state !== 'ready' && state !== 'new' && state !== UNKNOWN;
}

export type PrinterAdvice =
  | 'paper-out'
  | 'cover-open'
  | 'fault'
  | 'unknown-host'
  | 'refused'
  | 'unreachable'
  | 'forbidden'
  | 'no-answer'
  | 'not-polling'
  | 'never-polled';

const NETWORK_ADVICE: [PrinterAdvice, RegExp][] = [
  ['unknown-host', /ENOTFOUND|EAI_/],
  ['refused', /ECONNREFUSED/],
  ['forbidden', /never called|WEBHOOK_TARGETS/],
  ['unreachable', /EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|EADDRNOTAVAIL/],
];

/** Undefined if nothing has to be done. */
export function adviseOnPrinter(
  printer: Pick<Printer, 'kind'>,
  { state, words }: StateNow,
): PrinterAdvice | undefined {
  switch (state) {
    case 'paper-out':
    case 'cover-open':
    case 'fault':
      return state;
    case 'silent':
      return isPolling(printer) ? 'not-polling' : adviseOnWords(words ?? '');
    case 'new':
      return isPolling(printer) ? 'never-polled' : undefined;
    default:
      return undefined;
  }
}

function adviseOnWords(words: string): PrinterAdvice {
  return NETWORK_ADVICE.find(([, pattern]) => pattern.test(words))?.[0] ?? 'no-answer';
}
