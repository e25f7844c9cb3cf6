// Wires the use case that places the orders of the API: one voucher or a batch.

import { randomUUID } from 'node:crypto';
import type { BackgroundWork } from '../../platform/jobs/background-work.ts';
import { type FillParts, makeFillDeps } from '../batches/batch-use-cases.ts';
import { makeBatchFiller } from '../batches/create-batch.ts';
import { asBatchId } from '../ids.ts';
import type { Installation } from '../installation.ts';
import type { CreateVoucher } from './create-vouchers.ts';
import { makeFindRefusal } from './find-refusal.ts';
import { makePlaceOrder, type PlaceOrder } from './place-order.ts';
import type { RevokeReplaced } from './replaced-vouchers.ts';

interface Parts extends FillParts {
  createVoucher: CreateVoucher;
  revokeReplaced: RevokeReplaced;
  timeZone: string;
  backgroundWork: BackgroundWork;
}

export function makePlacementUseCase(installation: Installation, parts: Parts): PlaceOrder {
  const { sites, profiles, batches, vouchers, clock, controllerOf, findOutdated, startDeadline } =
    installation;
  const { createVoucher, refuseMany, revokeReplaced, timeZone, backgroundWork } = parts;
  return makePlaceOrder({
    sites,
    profiles,
    batches,
    vouchers,
    createVoucher,
    findRefusal: makeFindRefusal({
      ...{ vouchers, controllerOf, findOutdated },
      ways: installation.handOverWays,
    }),
    refuseMany,
    fillBatch: makeBatchFiller(makeFillDeps(installation, parts)),
    revokeReplaced,
    runInBackground: backgroundWork.run,
    startDeadline,
    makeBatchId: () => asBatchId(randomUUID()),
    clock,
    timeZone,
  });
}
