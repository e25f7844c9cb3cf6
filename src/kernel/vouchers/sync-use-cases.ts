// Wires the use cases that keep the database in sync with the controllers.

import type { Log } from '../../platform/log/log.ts';
import { makeLog } from '../../platform/log/make-log.ts';
import type { Installation } from '../installation.ts';
import { makeSettleIntents, type SettleTally } from './settle-intents.ts';
import { makeSyncSite } from './sync-site.ts';

interface Parts {
  log?: Log;
  observeSettled?: (tally: SettleTally) => void;
  monotonicMs?: () => number;
}

export function makeSyncUseCases(
  installation: Installation,
  { log = makeLog('silent'), observeSettled = () => {}, monotonicMs = () => performance.now() }: Parts = {},
) {
  const { clock, timeout, withLease, controllerOf, activeIntents, leftIntents } = installation;
  const { sites, vouchers, usage, stockRecords: stock, syncs, settings } = installation;
  const settleIntents = makeSettleIntents({
    sites,
    vouchers,
    usage,
    controllerOf,
    activeIntents,
    leftIntents,
    timeout,
    monotonicMs,
    withLease,
    log,
    observe: observeSettled,
  });
  const syncSite = makeSyncSite({
    usage,
    stock,
    syncs,
    settleIntents,
    settings,
    controllerOf,
    clock,
    timeout,
    withLease,
  });
  return { settleIntents, syncSite };
}
