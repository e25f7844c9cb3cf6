// Wires the use case that fills the stock.

import type { SiteId } from '../domain/ids.ts';
import type { Log } from '../domain/log.ts';
import { makeRefillSite, type RefillSite } from '../domain/stock/refill-stock.ts';
import { makeLog } from '../observe/log.ts';
import { makeCreationUseCases } from './creation-use-cases.ts';
import type { Installation } from './installation.ts';

interface Parts {
  timeZone: string;
  isClockSettled: () => Promise<boolean>;
  log?: Log;
  observeFailure?: (siteId: SiteId, reason: string) => void;
}

export function makeRefillUseCase(
  installation: Installation,
  { timeZone, isClockSettled, log = makeLog('silent'), observeFailure = () => {} }: Parts,
): RefillSite {
  const { stock, sites, syncs, profiles, vouchers, usage, controllerOf, findOutdated } = installation;
  const { readTrustedTime, withLease, timeout } = installation;
  const { createVouchers } = makeCreationUseCases(installation, { timeZone, log });
  return makeRefillSite({
    ...{ stock, sites, syncs, profiles, vouchers, usage, controllerOf, findOutdated, createVouchers },
    ...{ readTrustedTime, isClockSettled, withLease, timeout, log, observeFailure },
  });
}
