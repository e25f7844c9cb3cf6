// Wires the use cases of guests' requests.

import type { Installation } from '../../kernel/installation.ts';
import type { CreateVouchers } from '../../kernel/vouchers/create-vouchers.ts';
import type { Log } from '../../platform/log/log.ts';
import { makeLog } from '../../platform/log/make-log.ts';
import { MAX_WRONG, makeNetworkFloods } from '../../platform/network/network-floods.ts';
import type { HandOutReserve } from '../reserve/hand-out-reserve.ts';
import { MAX_ASKED, makeAskForVoucher, type ObserveRequest } from './ask.ts';
import { makeApproveFromReserve, makeApproveRequest, makeDeclineRequest } from './decide-request.ts';
import { MAX_FOLLOWED, makeOpenRequestPage } from './open-request-page.ts';

interface DecisionParts {
  createVouchers: CreateVouchers;
  handOutReserve: HandOutReserve;
  timeZone: string;
  observe?: ObserveRequest;
  log?: Log;
}

export function makeDecisionUseCases(
  { guestRequests, sites, profiles, clock }: Installation,
  { createVouchers, handOutReserve, timeZone, observe = () => {}, log = makeLog('silent') }: DecisionParts,
) {
  const deps = { guestRequests, sites, profiles, createVouchers, observe, clock, timeZone, log };
  return {
    approveRequest: makeApproveRequest(deps),
    approveFromReserve: makeApproveFromReserve({ guestRequests, handOutReserve, observe }),
    declineRequest: makeDeclineRequest(deps),
  };
}

export function makeRequestUseCases(
  installation: Installation,
  parts: DecisionParts & { observe: ObserveRequest; log: Log },
) {
  const { guestRequests, sites, clock } = installation;
  const { observe, log } = parts;
  const floodsOf = (max: number, what: string, more: { admitsCrowd?: true } = {}) =>
    makeNetworkFloods({
      clock,
      max,
      ...more,
      onFlood: (network) =>
        log.warn({ network, perMinute: max }, `${what}: refused until the minute is over`),
    });
  return {
    guestRequests,
    openRequestPage: makeOpenRequestPage({
      guestRequests,
      sites,
      floods: floodsOf(MAX_WRONG, 'flood of wrong addresses of request pages'),
      openings: floodsOf(MAX_FOLLOWED, 'request pages opened too often', { admitsCrowd: true }),
      clock,
    }),
    askForVoucher: makeAskForVoucher({
      guestRequests,
      floods: floodsOf(MAX_ASKED, 'too many requests of guests', { admitsCrowd: true }),
      observe,
      log,
    }),
    ...makeDecisionUseCases(installation, parts),
  };
}
