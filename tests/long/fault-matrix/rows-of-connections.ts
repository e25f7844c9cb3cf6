// Faults of timing and connections, and their outcome at each call.

import { brokenOff, failed, foundLater, listed, made, type Row, tooLate, tooLong } from './outcomes.ts';

/** Longer than the timeout of one call. */
export const SLOW_MS = 12_000;

/** The response never arrives completely; the request is carried out. */
const lost = (says: RegExp) => ({
  login: failed(says),
  create: made,
  list: listed(foundLater(says)),
});

/** The response never arrives, and the request is not carried out. */
const unheard = (says: RegExp) => ({
  login: failed(says),
  create: failed(says),
  list: listed(foundLater(says)),
});

const harmless = { login: made, create: made, list: made };

export const connectionRows: Row[] = [
  { kind: 'latency', settings: { ms: 300 }, ...harmless },
  // The request is carried out after the timeout.
  { kind: 'latency', settings: { ms: SLOW_MS }, ...unheard(tooLate), create: foundLater(tooLate) },
  { kind: 'late-answer', settings: { ms: 300 }, ...harmless },
  { kind: 'late-answer', settings: { ms: SLOW_MS }, ...lost(tooLate) },
  { kind: 'drip', settings: { bytes: 64, ms: 5 }, ...harmless },
  { kind: 'drip', settings: { bytes: 1, ms: 1_000 }, ...lost(tooLate) },
  { kind: 'cut-before-write', ...unheard(brokenOff) },
  { kind: 'cut-after-write', ...lost(brokenOff) },
  { kind: 'cut-after-write', settings: { times: 1 }, list: listed(made) },
  { kind: 'cut-mid-answer', ...lost(brokenOff) },
  { kind: 'close-after-answer', ...harmless },
  { kind: 'hang-before-write', ...unheard(tooLate) },
  { kind: 'hang-after-write', ...lost(tooLate) },
  { kind: 'hang-after-write', settings: { times: 1 }, list: listed(made) },
  { kind: 'hang-mid-answer', ...lost(tooLate) },
  { kind: 'not-http', ...lost(brokenOff) },
  { kind: 'huge', ...lost(tooLong) },
  { kind: 'huge-headers', ...lost(brokenOff) },
];
