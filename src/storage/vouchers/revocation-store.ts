// Finds vouchers to revoke by their id or code, and records that a voucher was revoked.

import { siteDetails } from '../../domain/audit/audit-details.ts';
import { toWholeSeconds } from '../../domain/clock.ts';
import type { RevocableFinder } from '../../domain/vouchers/revoke-by-id.ts';
import type { RevocationStore } from '../../domain/vouchers/revoke-voucher.ts';
import { insertAuditEntry } from '../audit/queries.ts';
import type { Database } from '../database.ts';
import { raiseListVersion, selectSiteName } from '../sites/queries.ts';
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
