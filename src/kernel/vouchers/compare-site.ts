// Compares the records of a site with its controller, and changes neither. A sync would bring the records up to date.

import { slicesOf } from '../../platform/concurrency/slices.ts';
import { type Clock, toWholeSeconds } from '../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { Controller, ControllerFailure, UpstreamVoucher } from '../controllers/controller.ts';
import type { SiteId, VoucherId } from '../ids.ts';
import type { Site } from '../sites/site.ts';
import { isTestVoucher } from '../sites/test-site.ts';
import { makeStockFindings } from '../stock/stock-findings.ts';
import type { StockRecords, StockVoucher } from '../stock/stock-voucher.ts';
import { findMissing } from './find-missing.ts';
import type { KnownVoucher, UsageStore } from './usage-records.ts';
import { isUsable } from './voucher-state.ts';

const CHUNK_ROWS = 200;

export interface Comparison {
  /** The number of vouchers on the controller. */
  listed: number;
  /** How many vouchers on the controller are recorded. 0 if the controller is not the one that has our vouchers. */
  recorded: number;
  /** Vouchers that are recorded as valid, but that the controller does not have. */
  missing: VoucherId[];
  /** Names of vouchers on the controller that are not recorded. */
  unrecorded: string[];
  /** How many vouchers of the stock could be handed out, although the controller does not have them. Absent if none. */
  missingInStock?: number;
}

interface Deps {
  usage: Pick<UsageStore, 'newestId' | 'findKnown' | 'readExpected'>;
  vouchers: { listIntents(siteId: SiteId): Promise<{ order: { name: string } }[]> };
  stock: Pick<StockRecords, 'list'>;
  controllerOf: (site: Site) => Controller;
  clock: Clock;
}

export function makeCompareSite({ usage, vouchers, stock, controllerOf, clock }: Deps) {
  return async function compareSite(
    site: Site,
    signal: AbortSignal,
  ): Promise<Result<Comparison, ControllerFailure>> {
    const controller = controllerOf(site);
    const newestId = await usage.newestId();
    const listed = new Map<string, UpstreamVoucher>();
    const readList = () =>
      controller.forEachVoucherChunk(async (chunk) => {
        for (const voucher of chunk)
          if (voucher.controllerVoucherId !== null) listed.set(voucher.controllerVoucherId, voucher);
      }, signal);
    const failure = await readList();
    if (failure) return fail(failure);

    // Read the intents, then the stock, then the records: a voucher moves in this order. Otherwise a voucher that moves
    // in between would be in none of them here, and would be reported as unrecorded.
    const intents = await vouchers.listIntents(site.id);
    const awaited = new Set(intents.map(({ order }) => order.name));
    const stocked = makeStockFindings(await stock.list(site.id));
    const others = (await findUnrecorded(site.id, listed)).filter((voucher) => !stocked.note(voucher));
    let recorded = listed.size - others.length;
    const unrecorded = others.filter((voucher) => !awaited.has(voucher.name) && !isTestVoucher(voucher));

    const nowS = toWholeSeconds(clock.nowMs());
    let missing: KnownVoucher[] = [];
    for await (const voucher of findMissing(usage, { siteId: site.id, listed, newestId, nowS }))
      if (isUsable(voucher, nowS)) missing.push(voucher);
    let missingStock = readyOf(stocked.findMissing(listed));
    if (missing.length + missingStock.length > 0) {
      // Read the list again: if vouchers are deleted during a read, the pages shift and the read can miss a voucher.
      const second = await readList();
      if (second) return fail(second);
      const uses = await controller.findUses(signal);
      if (!uses.ok) return uses;
      const unlisted = missing.filter(({ controllerVoucherId: id }) => !listed.has(id));
      recorded += missing.length - unlisted.length;
      missing = unlisted.filter(({ controllerVoucherId: id }) => !uses.value.has(id));
      // Some may have left the stock in the meantime, and were deleted on the controller then.
      const still = readyOf(makeStockFindings(await stock.list(site.id)).findMissing(listed));
      const stillMissing = missingStock.filter((id) => still.includes(id));
      recorded += missingStock.filter((id) => listed.has(id)).length;
      missingStock = stillMissing.filter((id) => !uses.value.has(id));
    }
    return ok({
      listed: listed.size,
      recorded,
      missing: missing.map(({ id }) => id),
      unrecorded: unrecorded.map(({ name }) => name),
      ...(missingStock.length > 0 && { missingInStock: missingStock.length }),
    });
  };

  async function findUnrecorded(
    siteId: SiteId,
    listed: ReadonlyMap<string, UpstreamVoucher>,
  ): Promise<UpstreamVoucher[]> {
    const unrecorded: UpstreamVoucher[] = [];
    for (const slice of slicesOf([...listed], CHUNK_ROWS)) {
      const ids = slice.map(([id]) => id);
      const known = new Set((await usage.findKnown(siteId, ids)).map((each) => each.controllerVoucherId));
      unrecorded.push(...slice.filter(([id]) => !known.has(id)).map(([, voucher]) => voucher));
    }
    return unrecorded;
  }
}

/** The controller's ids of the vouchers that could be handed out. */
function readyOf(stock: ReadonlyMap<string, StockVoucher>): string[] {
  return [...stock].filter(([, { state }]) => state === 'ready').map(([id]) => id);
}
