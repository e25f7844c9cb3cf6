// Settles open intents at start, every 30 seconds, and as soon as an intent left by a killed process is old enough.
// Without open intents, a turn is one cheap query.

import type { SettleIntents } from '../domain/vouchers/settle-intents.ts';

const EVERY_MS = 30_000;
const MIN_PAUSE_MS = 1_000;

export function makeSettleTurn(settleIntents: SettleIntents) {
  return async function settleTurn(signal: AbortSignal): Promise<number> {
    const { nextDueMs = EVERY_MS } = await settleIntents(signal);
    return Math.max(MIN_PAUSE_MS, Math.min(nextDueMs, EVERY_MS));
  };
}
