// Finds vouchers to revoke by their id or code, and records that a voucher was revoked.

import type { Database } from '../../../platform/database/database.ts';
import { toWholeSeconds } from '../../../platform/time/clock.ts';
import { siteDetails } from '../../audit/audit-details.ts';
import { insertAuditEntry } from '../../audit/audit-queries.ts';
import { raiseListVersion, selectSiteName } from '../../sites/site-queries.ts';
import type { RevocableFinder } from '../revoke-by-id.ts';
import type { RevocationStore } from '../revoke-voucher.ts';
import { updateOutcome } from './bulk-revocation-queries.ts';
import { markVoucherRevoked, selectIdByCode, selectRevocable } from './revocation-queries.ts';

export function makeRevocationStore(database: Database): RevocationStore & RevocableFinder {
  return {
    findById: (id) => selectRevocable(database.read, id),
    async findByCode(siteId, code) {
      const id = await selectIdByCode(database.read, siteId, code);
      return id && selectRevocable(database.read, id);
    },

    markRevoked: ({ id, siteId }, by, partOf) =>
      database.write(async (transaction) => {
        const { actor, atMs } = by;
        if (!(await markVoucherRevoked(transaction, id, { actor, atS: toWholeSeconds(atMs) }))) return false;
        const site = siteDetails(siteId, await selectSiteName(transaction, siteId));
        const details = { voucher: String(id), ...site };
        await insertAuditEntry(transaction, { ...by, action: 'voucher.revoked', details });
        await raiseListVersion(transaction, siteId);
        if (partOf !== undefined)
          await updateOutcome(transaction, partOf, { voucherId: id }, { outcome: 'revoked' });
        return true;
      }, 'finishes'),
  };
}
