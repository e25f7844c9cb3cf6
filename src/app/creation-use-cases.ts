// Wires the use cases that create vouchers, or hand out those of the reserve.

import type { SiteId } from '../domain/ids.ts';
import type { Log } from '../domain/log.ts';
import { makeOrderMail, makeRefuseMails } from '../domain/mail/order-mail.ts';
import { makeOrderPrint } from '../domain/printers/order-print.ts';
import { makeHandOutReserve, makeHandOutSeveral } from '../domain/stock/hand-out-reserve.ts';
import { makeCreateVoucher, makeCreateVouchers } from '../domain/vouchers/create-vouchers.ts';
import { makeLog } from '../observe/log.ts';
import type { Installation } from './installation.ts';

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
