// Wires the use cases that hand out vouchers of the reserve.

import type { SiteId } from '../../kernel/ids.ts';
import type { Installation } from '../../kernel/installation.ts';
import type { Log } from '../../platform/log/log.ts';
import { makeLog } from '../../platform/log/make-log.ts';
import { makeHandOutReserve, makeHandOutSeveral } from './hand-out-reserve.ts';

interface Parts {
  timeZone: string;
  log?: Log;
  observeFailure?: (siteId: SiteId, reason: string) => void;
}

export function makeHandOutUseCases(
  { sites, stock, handOverWays: ways, clock }: Installation,
  { timeZone, log = makeLog('silent'), observeFailure = () => {} }: Parts,
) {
  const handOutReserve = makeHandOutReserve({ sites, stock, ways, clock, timeZone, log, observeFailure });
  return { handOutReserve, handOutSeveral: makeHandOutSeveral(handOutReserve) };
}
