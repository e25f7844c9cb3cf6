// Reads one part of an installation. If that fails or takes too long, the other parts are still read.

import { type Clock, systemClock } from '../../platform/time/clock.ts';
import { within } from '../controllers/upstream/within.ts';
import { explainError } from './explain-error.ts';
import type { Observed } from './observed.ts';

/** How long one part may take, while a user waits at a terminal. */
export const TERMINAL_PATIENCE_MS = 60_000;

interface Deps {
  clock: Clock;
  patienceMs: number;
  /** Returns the text that a finding shows for an error. */
  explain: (error: unknown) => string;
}

export function makeAttempt({ clock, patienceMs, explain }: Deps) {
  return async function attempt<Value>(part: string, read: () => Promise<Value>): Promise<Observed<Value>> {
    const tooSlow = { part, detail: `it took more than ${patienceMs / 1_000} seconds` };
    const observe = async () => ({ part, value: await read(), atMs: clock.nowMs() });
    try {
      return await within<Observed<Value>>(AbortSignal.timeout(patienceMs), observe, tooSlow);
    } catch (error) {
      return { part, detail: explain(error) };
    }
  };
}

export const attemptForTerminal = makeAttempt({
  clock: systemClock,
  patienceMs: TERMINAL_PATIENCE_MS,
  explain: explainError,
});
