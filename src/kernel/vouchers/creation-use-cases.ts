// Wires the use cases that create vouchers, or hand out those of the reserve.

import { makeOrderMail, makeRefuseMails } from '../../features/mail/order-mail.ts';
import { makeOrderPrint } from '../../features/printers/order-print.ts';
import { makeHandOutReserve, makeHandOutSeveral } from '../../features/reserve/hand-out-reserve.ts';
import type { Log } from '../../platform/log/log.ts';
import { makeLog } from '../../platform/log/make-log.ts';
import type { SiteId } from '../ids.ts';
import type { Installation } from '../installation.ts';
import { makeCreateVoucher, makeCreateVouchers } from './create-vouchers.ts';

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
  const { noteFailedOrder, findOutdated } = installation;
  const orderMail = makeOrderMail(installation);
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
    orderMail,
    orderPrint: makeOrderPrint(installation),
  };
  const handOutReserve = makeHandOutReserve({ ...deps, stock: installation.stock });
  return {
    handOutReserve,
    handOutSeveral: makeHandOutSeveral(handOutReserve),
    createVoucher: makeCreateVoucher(deps),
    createVouchers: makeCreateVouchers(deps),
    refuseMails: makeRefuseMails(orderMail, installation.orderLimit),
  };
}
