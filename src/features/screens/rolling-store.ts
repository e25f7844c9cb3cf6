// The store for rolling codes. Each method that writes is one transaction.

import { screenActor } from '../../kernel/audit/actor.ts';
import { takeReady } from '../../kernel/stock/stock-voucher-store.ts';
import type { Database, Handle } from '../../platform/database/database.ts';
import { recordHandedOut } from '../reserve/handed-out-queries.ts';
import { DAY_S, findWait, lockScreen } from './place-queries.ts';
import { isNextDue, isUnused, type RollingScreen, type RollingStore } from './rolling-code.ts';
import {
  insertShownCode,
  selectRollingHashes,
  selectRollingScreen,
  selectRollingScreenByToken,
  selectUnseen,
  updateLook,
  updateShown,
} from './rolling-queries.ts';

export function makeRollingStore(database: Database): RollingStore {
  const { read, write, now } = database;

  /** Locks the screen first, so that instances that want to replace its code do it one after the other. */
  async function showNext(transaction: Handle, { id, siteId }: RollingScreen, storedName: string) {
    const limits = await lockScreen(transaction, { screenId: id, siteId }, database);
    const screen = limits && (await selectRollingScreen(transaction, id, now()));
    if (!screen) return 'gone';
    if (!isNextDue(screen)) return screen;
    const { perDay: limit, nowMs } = limits;
    const wait = await findWait(transaction, { screenId: id, limit, windowS: DAY_S, nowMs });
    if (wait !== undefined) return 'limit';
    for (;;) {
      const taken = await takeReady(transaction, { siteId, screenId: id }, database);
      if (!taken) return 'empty';
      const order = { siteId, actor: screenActor(screen), screenId: id, storedName };
      const handedOut = await recordHandedOut(transaction, { ...order, ...taken });
      // A voucher that is recorded already has left the stock. The next one is taken.
      if (!handedOut) continue;
      await putAway(transaction, screen, nowMs);
      await updateShown(transaction, id, { voucherId: handedOut.id, atMs: nowMs });
      return (await selectRollingScreen(transaction, id, now())) ?? 'gone';
    }
  }

  return {
    find: (id) => selectRollingScreen(read, id, now()),
    findByToken: (tokenHash) => selectRollingScreenByToken(read, tokenHash, now()),
    listTokenHashes: () => selectRollingHashes(read),
    noteLook: (id) => write((transaction) => updateLook(transaction, id, now())),
    showNext: (screen, storedName) => write((transaction) => showNext(transaction, screen, storedName)),
    takeOffUnseen: (trustedMs) =>
      write(async (transaction) => {
        const ids = await selectUnseen(transaction, trustedMs, database);
        for (const id of ids) {
          const screen = await selectRollingScreen(transaction, id, now());
          if (screen) await putAway(transaction, screen, screen.nowMs);
          await updateShown(transaction, id, null);
        }
        return ids.length;
      }),
  };
}

/** A code that was used or has ended needs no revocation. */
async function putAway(transaction: Handle, screen: RollingScreen, nowMs: number): Promise<void> {
  if (screen.shown && isUnused(screen)) await insertShownCode(transaction, screen.shown.id, nowMs);
}
