// Settles open intents at start, every 10 seconds, and as soon as an intent left by a killed process is old enough.
// Without open intents, a turn is one cheap query.

import type { NextSearch } from '../next-search.ts';
import type { SettleIntents } from '../settle-intents.ts';

/** Short, because intents that another instance left when it was killed are noticed by a turn. */
const EVERY_MS = 10_000;
/** Orders that were cut off together are old enough within this time, so one search serves them all. */
const TOGETHER_MS = 1_000;

export function makeSettleTurn(settleIntents: SettleIntents, nextSearch: Pick<NextSearch, 'note'>) {
  return async function settleTurn(signal: AbortSignal): Promise<number> {
    const { nextDueMs = EVERY_MS } = await settleIntents(signal);
    const pauseMs = Math.min(nextDueMs + TOGETHER_MS, EVERY_MS);
    nextSearch.note(pauseMs);
    return pauseMs;
  };
}
