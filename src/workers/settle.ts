// Settles open intents, at start and every half minute; with none open that is one cheap question.

import type { SettleIntents } from '../domain/vouchers/settle-intents.ts';

const EVERY_MS = 30_000;

export function makeSettleTurn(settleIntents: SettleIntents) {
  return async function settleTurn(signal: AbortSignal): Promise<number> {
    await settleIntents(signal);
    return EVERY_MS;
  };
}
