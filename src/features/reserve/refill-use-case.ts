// Wires the use case that fills the stock.

import type { SiteId } from '../../kernel/ids.ts';
import type { Installation } from '../../kernel/installation.ts';
import { makeCreationUseCases } from '../../kernel/vouchers/creation-use-cases.ts';
import type { Log } from '../../platform/log/log.ts';
import { makeLog } from '../../platform/log/make-log.ts';
import { makeRefillSite, type RefillSite } from './refill-stock.ts';

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
