// Wires the use cases that create vouchers.

import type { Log } from '../../platform/log/log.ts';
import { makeLog } from '../../platform/log/make-log.ts';
import type { SiteId } from '../ids.ts';
import type { Installation } from '../installation.ts';
import { makeCreateVoucher, makeCreateVouchers } from './create-vouchers.ts';
import { makeRefuseMany } from './hand-over-way.ts';

interface Parts {
  timeZone: string;
  log?: Log;
  observeFailure?: (siteId: SiteId, reason: string) => void;
}

export function makeCreationUseCases(
  installation: Installation,
  { timeZone, log = makeLog('silent'), observeFailure = () => {} }: Parts,
) {
  const { sites, vouchers, controllerOf, activeIntents, nextSearch, clock, startDeadline } = installation;
  const { noteFailedOrder, findOutdated, handOverWays: ways } = installation;
  const deps = {
    sites,
    vouchers,
    controllerOf,
    activeIntents,
    nextSearch,
    clock,
    startDeadline,
    timeZone,
    log,
    observeFailure,
    noteFailedOrder,
    findOutdated,
    ways,
  };
  return {
    createVoucher: makeCreateVoucher(deps),
    createVouchers: makeCreateVouchers(deps),
    refuseMany: makeRefuseMany(ways),
  };
}
