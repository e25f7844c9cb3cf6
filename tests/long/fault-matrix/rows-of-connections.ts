// Faults of time and connection, and what comes of them at each call.

import { brokenOff, failed, foundLater, listed, made, type Row, tooLate, tooLong } from './outcomes.ts';

/** Longer than one call is waited for. */
export const SLOW_MS = 12_000;

/** The answer never arrives whole; what was asked for is done. */
const lost = (says: RegExp) => ({
  login: failed(says),
  create: made,
  list: listed(foundLater(says)),
});

/** The answer never arrives, and nothing was done. */
const unheard = (says: RegExp) => ({
  login: failed(says),
  create: failed(says),
  list: listed(foundLater(says)),
});

const harmless = { login: made, create: made, list: made };

export const connectionRows: Row[] = [
  { kind: 'latency', settings: { ms: 300 }, ...harmless },
  // Carried out when nobody waits any more.
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
