// The store for the stock. Each method that writes is one transaction.

import type { StockId } from '../../kernel/ids.ts';
import { sealMessages } from '../../kernel/messages/held-queries.ts';
import { raiseListVersion } from '../../kernel/sites/site-queries.ts';
import { recordHandedOut } from '../../kernel/vouchers/storage/handed-out.ts';
import { discardIntents } from '../../kernel/vouchers/storage/intent-queries.ts';
import { idsOf, insertForeignVouchers } from '../../kernel/vouchers/storage/usage-queries.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { beginApproval, finishApproval, undoApproval } from '../requests/purpose-queries.ts';
import { findScreenProblem } from '../screens/place-queries.ts';
import type { StockState, StockStore } from './stock.ts';
import {
  countReadyStock,
  deleteFromStock,
  deleteGone,
  deleteRecordedStock,
  selectGroups,
  selectReserves,
  selectStock,
  selectTargets,
  takeReady,
} from './stock-queries.ts';

/** `onTaken` is called after a voucher was handed out. */
export function makeStockStore(database: Database, seal: Seal, onTaken: () => void): StockStore {
  const { read, write, now, listOf } = database;

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
    async findReserve(siteId) {
      const [found] = await selectReserves(read, siteId);
      return found ?? { siteId, wanted: 0, profileId: null, ready: 0 };
    },
    listReserves: () => selectReserves(read),
    list: (siteId) => selectStock(read, now(), siteId),
    listGroups: () => selectGroups(read, now()),
    listTargets: () => selectTargets(read, now()),
    countReady: () => countReadyStock(read, now()),
    dropRecorded: (siteId) => write((transaction) => deleteRecordedStock(transaction, siteId)),
    handOut: async ({ name: _, messages = [], replaces = [], guestRequestId, ...order }) => {
      const outcome = await write(async (transaction) => {
        const { siteId, screenId, actor, ip } = order;
        // First of all: see `Seal`.
        const sealedMessages = await sealMessages(transaction, seal, messages);
        if (screenId !== undefined) {
          const screen = { screenId, siteId, except: replaces };
          if (await findScreenProblem(transaction, screen, database)) return 'screen-limit' as const;
        }
        if (guestRequestId !== undefined && (await beginApproval(transaction, guestRequestId, actor)))
          return 'request-decided' as const;
        for (;;) {
          const taken = await takeReady(transaction, { siteId, screenId: null }, database);
          if (!taken) {
            if (guestRequestId !== undefined) await undoApproval(transaction, guestRequestId);
            return undefined;
          }
          await discardIntents(transaction, replaces);
          const handedOut = await recordHandedOut(transaction, { ...order, ...taken, sealedMessages });
          // A voucher that is recorded already belongs to somebody. It leaves the stock, and the next one is taken.
          if (!handedOut) continue;
          const { id: voucherId } = handedOut;
          if (guestRequestId !== undefined)
            await finishApproval(transaction, {
              requestId: guestRequestId,
              voucherId,
              actor,
              ...(ip !== undefined && { ip }),
              now,
            });
          return handedOut;
        }
      });
      onTaken();
      return outcome;
    },
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
