// Finds the vouchers and batches that audit entries refer to.

import type { Database } from '../../platform/database/database.ts';
import type { AuditedVouchers } from './audit-log.ts';

export function makeAuditedVouchers({ read }: Database): AuditedVouchers {
  return {
    async codesOf(ids) {
      if (ids.length === 0) return new Map();
      const rows = await read.selectFrom('vouchers').select(['id', 'code']).where('id', 'in', ids).execute();
      return new Map(rows.map(({ id, code }) => [String(id), code]));
    },
    async existingBatches(ids) {
      if (ids.length === 0) return new Set();
      const rows = await read.selectFrom('batches').select('id').where('id', 'in', ids).execute();
      return new Set(rows.map(({ id }) => id));
    },
    async subjectsOf(code) {
      const vouchers = read.selectFrom('vouchers').select(['id', 'batch_id']).where('code', '=', code);
      return (await vouchers.limit(20).execute()).flatMap(({ id, batch_id: batchId }) => [
        `voucher ${id} of `,
        ...(batchId === null ? [] : [`batch ${batchId} of `]),
      ]);
    },
  };
}
