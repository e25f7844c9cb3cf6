// Records that a voucher was revoked.

import { toWholeSeconds } from '../../domain/clock.ts';
import type { RevocationStore } from '../../domain/vouchers/revoke-voucher.ts';
import { insertAuditEntry, siteInAudit } from '../audit/queries.ts';
import type { Database } from '../database.ts';
import { raiseListVersion, selectSiteName } from '../sites/queries.ts';
import { markVoucherRevoked } from './revocation-queries.ts';

export function makeRevocationStore(database: Database): RevocationStore {
  return {
    markRevoked: ({ id, siteId }, by) =>
      database.write(async (transaction) => {
        if (!(await markVoucherRevoked(transaction, id, toWholeSeconds(by.atMs)))) return false;
        await insertAuditEntry(transaction, {
          ...by,
          action: 'voucher.revoked',
          subject: `voucher ${id} of ${siteInAudit(siteId, await selectSiteName(transaction, siteId))}`,
        });
        await raiseListVersion(transaction, siteId);
        return true;
      }, 'finishes'),
  };
}
