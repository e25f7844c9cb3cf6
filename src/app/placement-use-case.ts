// Wires the use case that places the orders of the API: one voucher or a batch.

import { randomUUID } from 'node:crypto';
import { makeBatchFiller } from '../domain/batches/create-batch.ts';
import { asBatchId } from '../domain/ids.ts';
import type { RefuseMails } from '../domain/mail/order-mail.ts';
import { makeOrderPrint } from '../domain/printers/order-print.ts';
import type { CreateVoucher, CreateVouchers } from '../domain/vouchers/create-vouchers.ts';
import { makeFindRefusal } from '../domain/vouchers/find-refusal.ts';
import { makePlaceOrder, type PlaceOrder } from '../domain/vouchers/place-order.ts';
import type { BackgroundWork } from './background-work.ts';
import type { Installation } from './installation.ts';

interface Parts {
  createVoucher: CreateVoucher;
  createVouchers: CreateVouchers;
  refuseMails: RefuseMails;
  timeZone: string;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
  backgroundWork: BackgroundWork;
}

export function makePlacementUseCase(installation: Installation, parts: Parts): PlaceOrder {
  const { sites, profiles, batches, vouchers, withLease, clock, controllerOf, findOutdated } = installation;
  const { createVoucher, createVouchers, refuseMails, timeZone, stopping, backgroundWork } = parts;
  return makePlaceOrder({
    sites,
    profiles,
    batches,
    vouchers,
    createVoucher,
    findRefusal: makeFindRefusal({ controllerOf, findOutdated, orderPrint: makeOrderPrint(installation) }),
    refuseMails,
    fillBatch: makeBatchFiller({ batches, createVouchers, refuseMails, withLease, clock, stopping }),
    runInBackground: backgroundWork.run,
    makeBatchId: () => asBatchId(randomUUID()),
    clock,
    timeZone,
  });
}
