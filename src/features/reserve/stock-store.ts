// The store for the stock. Each method that writes is one transaction.

import { sealMessages } from '../../kernel/messages/held-queries.ts';
import { takeReady } from '../../kernel/stock/stock-voucher-queries.ts';
import { makeStockRecords } from '../../kernel/stock/stock-voucher-store.ts';
import { discardIntents } from '../../kernel/vouchers/storage/intent-queries.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { beginApproval, finishApproval, undoApproval } from '../requests/purpose-queries.ts';
import { findScreenProblem } from '../screens/place-queries.ts';
import { recordHandedOut } from './handed-out-queries.ts';
import type { StockStore } from './stock.ts';
import { countReadyStock, selectGroups, selectReserves, selectTargets } from './stock-queries.ts';

/** `onTaken` is called after a voucher was handed out. */
export function makeStockStore(database: Database, seal: Seal, onTaken: () => void): StockStore {
  const { read, write, now } = database;

  return {
    ...makeStockRecords(database),
    async findReserve(siteId) {
      const [found] = await selectReserves(read, siteId);
      return found ?? { siteId, wanted: 0, profileId: null, ready: 0 };
    },
    listReserves: () => selectReserves(read),
    listGroups: () => selectGroups(read, now()),
    listTargets: () => selectTargets(read, now()),
    countReady: () => countReadyStock(read, now()),
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
  };
}
