// Wires the use case that places the orders of the API: one voucher or a batch.

import { randomUUID } from 'node:crypto';
import { makeBatchFiller } from '../domain/batches/create-batch.ts';
import { asBatchId } from '../domain/ids.ts';
import type { RefuseMails } from '../domain/mail/order-mail.ts';
import { makeOrderPrint } from '../domain/printers/order-print.ts';
import type { CreateVoucher, CreateVouchers } from '../domain/vouchers/create-vouchers.ts';
import { makeFindRefusal } from '../domain/vouchers/find-refusal.ts';
import { makePlaceOrder, type PlaceOrder } from '../domain/vouchers/place-order.ts';
import type { RevokeReplaced } from '../domain/vouchers/replaced-vouchers.ts';
import type { BackgroundWork } from './background-work.ts';
import type { Installation } from './installation.ts';

interface Parts {
  createVoucher: CreateVoucher;
  createVouchers: CreateVouchers;
  refuseMails: RefuseMails;
  revokeReplaced: RevokeReplaced;
  timeZone: string;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
  backgroundWork: BackgroundWork;
}

export function makePlacementUseCase(installation: Installation, parts: Parts): PlaceOrder {
  const { sites, profiles, batches, vouchers, withLease, clock, controllerOf, findOutdated, startDeadline } =
    installation;
  const { createVoucher, createVouchers, refuseMails, revokeReplaced, timeZone, stopping, backgroundWork } =
    parts;
  return makePlaceOrder({
    sites,
    profiles,
    batches,
    vouchers,
    createVoucher,
    findRefusal: makeFindRefusal({ controllerOf, findOutdated, orderPrint: makeOrderPrint(installation) }),
    refuseMails,
    fillBatch: makeBatchFiller({ batches, createVouchers, refuseMails, withLease, clock, stopping }),
    revokeReplaced,
    runInBackground: backgroundWork.run,
    startDeadline,
    makeBatchId: () => asBatchId(randomUUID()),
    clock,
    timeZone,
  });
}
