// What a sync finds out about the vouchers in the stock of a site: those that were used on the controller before they
// were handed out, those that the controller does not list any more, and those that it lists again.

import type { UpstreamVoucher } from '../controllers/controller.ts';
import type { StockId } from '../ids.ts';
import type { StockVoucher } from './stock-voucher.ts';

/** Younger vouchers do not count as missing, because some controllers list a new voucher only after a delay. */
const YOUNG_MS = 60_000;

/** `stock` must be read before the list of the controller: a voucher that is made meanwhile is not missing. */
export function makeStockFindings(stock: StockVoucher[]) {
  const byId = new Map(
    stock.flatMap((voucher) =>
      voucher.controllerVoucherId === null ? [] : [[voucher.controllerVoucherId, voucher]],
    ),
  );
  const byCode = new Map(
    stock.filter((voucher) => voucher.controllerVoucherId === null).map((voucher) => [voucher.code, voucher]),
  );
  const used: UpstreamVoucher[] = [];
  const found: StockId[] = [];
  const identified: { stocked: StockVoucher; controllerVoucherId: string }[] = [];

  return {
    used,
    /** Vouchers that were missing and are listed. */
    found,
    /** Vouchers that were stored without the id of the controller, with the id that the list has. */
    identified,
    /** True if the listed voucher is in the stock. */
    note(voucher: UpstreamVoucher): boolean {
      const { controllerVoucherId: id, code, usedCount, firstUsedAtMs } = voucher;
      if (id === null) return false;
      const withoutId = code === null || byId.has(id) ? undefined : byCode.get(code);
      const stocked = withoutId ?? byId.get(id);
      if (!stocked) return false;
      if (withoutId) identified.push({ stocked, controllerVoucherId: id });
      if (stocked.state === 'missing') found.push(stocked.id);
      if (usedCount > 0 || firstUsedAtMs !== null) used.push(voucher);
      return true;
    },
    /** Without those that are known to be missing. By the id of the controller. */
    findMissing: (listed: Pick<ReadonlySet<string>, 'has'>): Map<string, StockVoucher> =>
      new Map(
        [...byId].filter(
          ([id, { ageMs, state }]) =>
            !listed.has(id) && state !== 'missing' && (ageMs >= YOUNG_MS || ageMs < 0),
        ),
      ),
  };
}

/** Some controllers no longer list a voucher once it is used up. They report its use for a while. */
export function toUsedVoucher(stocked: StockVoucher, usedAtMs: number): UpstreamVoucher {
  return { ...stocked, usedCount: 1, createdAtMs: stocked.madeAtMs, firstUsedAtMs: usedAtMs };
}
