// The store for the reserves of sites.

import { siteDetails } from '../../kernel/audit/audit-details.ts';
import { insertAuditEntry } from '../../kernel/audit/audit-queries.ts';
import type { SiteId } from '../../kernel/ids.ts';
import { selectProfiles } from '../../kernel/profiles/profile-queries.ts';
import { selectSiteName } from '../../kernel/sites/site-queries.ts';
import type { Database, Handle } from '../../platform/database/database.ts';
import type { ReserveState, ReserveStore } from './reserve.ts';
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
