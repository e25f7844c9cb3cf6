// The store for the reserves of sites.

import { siteDetails } from '../../domain/audit/audit-details.ts';
import type { SiteId } from '../../domain/ids.ts';
import type { ReserveState, ReserveStore } from '../../domain/stock/reserve.ts';
import { insertAuditEntry } from '../audit/queries.ts';
import type { Database, Handle } from '../database.ts';
import { selectProfiles } from '../profiles/queries.ts';
import { selectSiteName } from '../sites/queries.ts';
import { selectReserveStates, upsertReserve } from './reserve-queries.ts';

export function makeReserveStore({ read, write }: Database): ReserveStore {
  return {
    find: (siteId) => findReserve(read, siteId),
    list: () => selectReserveStates(read),
    set: (reserve, audit) =>
      write(async (transaction) => {
        const { siteId, wanted, profileId } = reserve;
        const before = await findReserve(transaction, siteId);
        if (before.wanted === wanted && before.profileId === profileId) return;
        await upsertReserve(transaction, reserve);
        const profile = (await selectProfiles(transaction)).find(({ id }) => id === profileId);
        const siteName = await selectSiteName(transaction, siteId);
        await insertAuditEntry(transaction, {
          ...audit,
          action: 'site.reserve-changed',
          details: {
            ...siteDetails(siteId, siteName),
            changes: { reserve: wanted, reserveProfile: profile?.name ?? null },
          },
        });
      }),
  };
}

async function findReserve(handle: Handle, siteId: SiteId): Promise<ReserveState> {
  const [found] = await selectReserveStates(handle, siteId);
  return found ?? { siteId, wanted: 0, profileId: null, ready: 0, lastMadeAtMs: null, next: null };
}
