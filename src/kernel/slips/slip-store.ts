// The store for the content of slips.

import type { Database } from '../../platform/database/database.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { siteDetails } from '../audit/audit-details.ts';
import { insertAuditEntry } from '../audit/audit-queries.ts';
import { FIRST_SLIP, type SlipStore } from './slip.ts';
import { selectSlip, selectSlipVouchers, upsertSlip } from './slip-queries.ts';

export function makeSlipStore(database: Database, seal: Seal): SlipStore {
  return {
    async findVouchers({ ids, siteIds }) {
      const own = new Set(siteIds);
      return (await selectSlipVouchers(database.read, ids)).filter(({ siteId }) => own.has(siteId));
    },
    find: async (siteId) => (await selectSlip(database.read, seal, siteId)) ?? FIRST_SLIP,
    save: (siteId, slip, audit) =>
      database.write(async (transaction) => {
        await upsertSlip(transaction, seal, { siteId, slip });
        const details = { ...siteDetails(siteId, ''), name: slip.wifiName };
        await insertAuditEntry(transaction, { ...audit, action: 'slip.changed', details });
      }),
  };
}
