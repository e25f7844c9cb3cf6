// Wires what keeps our records and the controllers in step.

import { makeSettleIntents, type SettleTally } from '../domain/vouchers/settle-intents.ts';
import { makeSyncSite } from '../domain/vouchers/sync-site.ts';
import { type AppLog, makeLog } from '../observe/log.ts';
import type { Installation } from './installation.ts';

interface UpkeepParts {
  log?: AppLog;
  observeSettled?: (tally: SettleTally) => void;
}

/** What keeps our records and the controllers in step. */
export function makeUpkeep(
  installation: Installation,
  { log = makeLog('silent'), observeSettled = () => {} }: UpkeepParts = {},
) {
  const settleIntents = makeSettleIntents({ ...installation, log, observe: observeSettled });
  return { settleIntents, syncSite: makeSyncSite({ ...installation, settleIntents }) };
}
