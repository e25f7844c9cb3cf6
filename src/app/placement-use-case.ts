// Wires the use case that places the orders of the API: one voucher or a batch.

import { randomUUID } from 'node:crypto';
import { makeBatchFiller } from '../domain/batches/create-batch.ts';
import { asBatchId } from '../domain/ids.ts';
import { makeOrderPrint } from '../domain/printers/order-print.ts';
import type { CreateVoucher } from '../domain/vouchers/create-vouchers.ts';
import { makeFindRefusal } from '../domain/vouchers/find-refusal.ts';
import { makePlaceOrder, type PlaceOrder } from '../domain/vouchers/place-order.ts';
import type { RevokeReplaced } from '../domain/vouchers/replaced-vouchers.ts';
import type { BackgroundWork } from './background-work.ts';
import { type FillParts, makeFillDeps } from './batch-use-cases.ts';
import type { Installation } from './installation.ts';

interface Parts extends FillParts {
  createVoucher: CreateVoucher;
  revokeReplaced: RevokeReplaced;
  timeZone: string;
  backgroundWork: BackgroundWork;
}

export function makePlacementUseCase(installation: Installation, parts: Parts): PlaceOrder {
  const { sites, profiles, batches, vouchers, clock, controllerOf, findOutdated, startDeadline } =
    installation;
  const { createVoucher, refuseMails, revokeReplaced, timeZone, backgroundWork } = parts;
  return makePlaceOrder({
    sites,
    profiles,
    batches,
    vouchers,
    createVoucher,
    findRefusal: makeFindRefusal({
      ...{ vouchers, controllerOf, findOutdated },
      orderPrint: makeOrderPrint(installation),
    }),
    refuseMails,
    fillBatch: makeBatchFiller(makeFillDeps(installation, parts)),
    revokeReplaced,
    runInBackground: backgroundWork.run,
    startDeadline,
    makeBatchId: () => asBatchId(randomUUID()),
    clock,
    timeZone,
  });
}
