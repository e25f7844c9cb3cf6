// The store for the records of the stock. Each method that writes is one transaction.

import type { Database } from '../../platform/database/database.ts';
import type { StockId } from '../ids.ts';
import { raiseListVersion } from '../sites/site-queries.ts';
import { idsOf, insertForeignVouchers } from '../vouchers/storage/usage-queries.ts';
import type { StockRecords, StockState } from './stock-voucher.ts';
import { deleteFromStock, deleteGone, deleteRecordedStock, selectStock } from './stock-voucher-queries.ts';

export function makeStockRecords({ read, write, now, listOf }: Database): StockRecords {
  async function mark(ids: StockId[], { from, to }: { from: StockState[]; to: StockState }): Promise<void> {
    if (ids.length === 0) return;
    await write((transaction) =>
      transaction
        .updateTable('stock')
        .set({ state: to, missing_since_ms: to === 'missing' || to === 'gone' ? now() : null })
        .where('id', 'in', listOf(ids))
        .where('state', 'in', from)
        .execute(),
    );
  }

  return {
    list: (siteId) => selectStock(read, now(), siteId),
    dropRecorded: (siteId) => write((transaction) => deleteRecordedStock(transaction, siteId)),
    markMissing: (ids) => mark(ids, { from: ['ready'], to: 'missing' }),
    markFound: (ids) => mark(ids, { from: ['missing'], to: 'ready' }),
    markLeaving: (ids) => mark(ids, { from: ['ready', 'missing'], to: 'leaving' }),
    identify: async (id, controllerVoucherId) => {
      await write((transaction) =>
        transaction
          .updateTable('stock')
          .set({ controller_voucher_id: controllerVoucherId })
          .where('id', '=', id)
          .where('controller_voucher_id', 'is', null)
          .execute(),
      );
    },
    recordUsed: (siteId, vouchers) =>
      write(async (transaction) => {
        const taken = await deleteFromStock(transaction, siteId, idsOf(vouchers));
        const used = vouchers.filter(({ controllerVoucherId: id }) => id !== null && taken.has(id));
        if (used.length === 0) return;
        await insertForeignVouchers(transaction, siteId, used);
        await raiseListVersion(transaction, siteId);
      }),
    markGone: (id) => mark([id], { from: ['leaving'], to: 'gone' }),
    dropGone: (siteId) => write((transaction) => deleteGone(transaction, siteId, now())),
  };
}
