// Wires the orders of guests at kiosks.

import type { Log } from '../domain/log.ts';
import { makeOrderMail } from '../domain/mail/order-mail.ts';
import { makeOrderPrint } from '../domain/printers/order-print.ts';
import { makeOrderAtScreen, type OrderAtScreen } from '../domain/screens/order-at-screen.ts';
import type { HandOutReserve } from '../domain/stock/hand-out-reserve.ts';
import type { CreateVouchers } from '../domain/vouchers/create-vouchers.ts';
import type { Installation } from './installation.ts';

interface Parts {
  createVouchers: CreateVouchers;
  handOutReserve: HandOutReserve;
  timeZone: string;
  log: Log;
}

export function makeScreenOrders(
  installation: Installation,
  { createVouchers, handOutReserve, timeZone, log }: Parts,
): OrderAtScreen {
  const { sites, oneTimeForms, clock } = installation;
  return makeOrderAtScreen({
    sites,
    createVouchers,
    handOutReserve,
    orderMail: makeOrderMail(installation),
    orderPrint: makeOrderPrint(installation),
    oneTimeForms,
    clock,
    timeZone,
    log,
  });
}
