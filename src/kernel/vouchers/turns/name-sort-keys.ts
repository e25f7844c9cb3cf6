// Fills in the missing name sort keys of vouchers that an older release created. Runs every hour, because an instance
// of the older release may still be running. Works in slices, so that a large table does not delay other requests.

import { setTimeout as sleep } from 'node:timers/promises';
import type { WithLease } from '../../../platform/leases/leases.ts';
import type { SiteStore } from '../../sites/site.ts';
import type { FillNameSortKeys } from '../voucher-search.ts';

const EVERY_MS = 60 * 60_000;
const PAUSE_MS = 20;
const AT_A_TIME = 200;

interface Deps {
  sites: Pick<SiteStore, 'list'>;
  fillNameSortKeys: FillNameSortKeys;
  withLease: WithLease;
}

export function makeNameSortKeyTurn({ sites, fillNameSortKeys, withLease }: Deps) {
  return async function nameSortKeyTurn(stopping: AbortSignal): Promise<number> {
    await withLease('name-order', stopping, async (signal) => {
      for (const { id } of await sites.list())
        while (!signal.aborted && (await fillNameSortKeys(id, AT_A_TIME)) > 0) await sleep(PAUSE_MS);
    });
    return EVERY_MS;
  };
}
