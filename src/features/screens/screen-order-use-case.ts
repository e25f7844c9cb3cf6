// Wires the orders of guests at kiosks.

import type { Installation } from '../../kernel/installation.ts';
import type { CreateVouchers } from '../../kernel/vouchers/create-vouchers.ts';
import type { Log } from '../../platform/log/log.ts';
import { makeOrderMail } from '../mail/order-mail.ts';
import { makeOrderPrint } from '../printers/order-print.ts';
import type { HandOutReserve } from '../reserve/hand-out-reserve.ts';
import { makeOrderAtScreen, type OrderAtScreen } from './order-at-screen.ts';

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
