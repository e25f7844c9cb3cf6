// Adds vouchers to the search index, one block of ids at a time, with pauses in between. Vouchers that are not in the
// index yet are searched without it.

import { setTimeout as sleep } from 'node:timers/promises';
import type { WithLease } from '../../../platform/leases/leases.ts';
import type { SearchIndex } from '../voucher-search.ts';

const EVERY_MS = 60_000;
const PAUSE_MS = 100;

interface Deps {
  searchIndex: SearchIndex;
  withLease: WithLease;
}

export function makeSearchIndexTurn({ searchIndex, withLease }: Deps) {
  // The last block that was full in the previous turn. Newer blocks are not indexed yet, because a transaction may
  // still add a voucher to a block that looks full.
  let fullBefore = -1;
  return async function searchIndexTurn(stopping: AbortSignal): Promise<number> {
    await withLease('search-index', stopping, async (signal) => {
      for (const block of await searchIndex.listMissingBlocks(fullBefore)) {
        if (signal.aborted) return;
        await searchIndex.add(block);
        await sleep(PAUSE_MS);
      }
    });
    fullBefore = await searchIndex.findLastFullBlock();
    return EVERY_MS;
  };
}
