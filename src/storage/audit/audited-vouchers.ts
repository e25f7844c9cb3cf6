// Finds the vouchers and batches that audit entries name.

import type { AuditedVouchers } from '../../domain/audit/audit-log.ts';
import type { Database } from '../database.ts';
import { selectBatchIds, selectCodes, selectVouchersByCode } from './voucher-queries.ts';

export function makeAuditedVouchers(database: Database): AuditedVouchers {
  return {
    async codesOf(ids) {
      const rows = ids.length === 0 ? [] : await selectCodes(database.read, ids);
      return new Map(rows.map(({ id, code }) => [String(id), code]));
    },
    async existingBatches(ids) {
      const rows = ids.length === 0 ? [] : await selectBatchIds(database.read, ids);
      return new Set(rows.map(({ id }) => id));
    },
    async subjectsOf(code) {
      const rows = await selectVouchersByCode(database.read, code);
      return rows.flatMap(({ id, batch_id: batchId }) => [
        `voucher ${id} of `,
        ...(batchId === null ? [] : [`batch ${batchId} of `]),
      ]);
    },
  };
}
