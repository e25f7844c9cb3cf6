// Settles open intents, at start and every half minute; with none open that is one cheap question.

import type { SettleIntents } from '../domain/vouchers/settle-intents.ts';

const EVERY_MS = 30_000;

export function makeSettleTurn(
  settleIntents: SettleIntents,
  observe: (tally: { recorded: number; forgotten: number }) => void,
) {
  return async function settleTurn(): Promise<number> {
    observe(await settleIntents());
    return EVERY_MS;
  };
}
