// Wires the use cases that keep the database in sync with the controllers.

import { makeSettleIntents, type SettleTally } from '../domain/vouchers/settle-intents.ts';
import { makeSyncSite } from '../domain/vouchers/sync-site.ts';
import { type AppLog, makeLog } from '../observe/log.ts';
import type { Installation } from './installation.ts';

interface Parts {
  log?: AppLog;
  observeSettled?: (tally: SettleTally) => void;
}

export function makeSyncUseCases(
  installation: Installation,
  { log = makeLog('silent'), observeSettled = () => {} }: Parts = {},
) {
  const settleIntents = makeSettleIntents({ ...installation, log, observe: observeSettled });
  return { settleIntents, syncSite: makeSyncSite({ ...installation, settleIntents }) };
}
