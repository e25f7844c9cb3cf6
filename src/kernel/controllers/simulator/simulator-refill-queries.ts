// Fills the simulated controllers after a restore. Their vouchers are in the data folder and not in the backup: without
// them, the first sync after the restore would report all vouchers as lost.

import type { Handle } from '../../../platform/database/database.ts';
import { toOrder } from '../../vouchers/storage/order-columns.ts';
import { hasSimulatedVouchers, openSimulatedVouchers } from './simulated-vouchers.ts';

const AT_ONCE = 5_000;

/** Undefined if the file is still there: it stays as it is. */
export function simulatorRefill(dataDir: string): ((handle: Handle) => Promise<void>) | undefined {
  return hasSimulatedVouchers(dataDir) ? undefined : (handle) => refill(dataDir, handle);
}

/** Reads what the controllers of simulated sites had, some thousand vouchers at a time. */
async function refill(dataDir: string, handle: Handle): Promise<void> {
  let rows = await selectSimulated(handle, 0);
  while (rows.length > 0) {
    const vouchers = openSimulatedVouchers(dataDir);
    for (const row of rows)
      vouchers.add(`${row.site_id}/${row.controller_site}`, {
        ...toOrder(row),
        name: row.console_name ?? row.name,
        controllerVoucherId: row.controller_voucher_id,
        code: row.code,
        usedCount: row.used_count,
        createdAtMs: row.created_at_s * 1_000,
        firstUsedAtMs: row.first_used_at_s === null ? null : row.first_used_at_s * 1_000,
      });
    vouchers.close();
    rows = await selectSimulated(handle, rows.at(-1)?.id ?? 0);
  }
}

const selectSimulated = (handle: Handle, afterId: number) =>
  handle
    .selectFrom('vouchers')
    .innerJoin('sites', 'sites.id', 'vouchers.site_id')
    .selectAll('vouchers')
    .select('controller_site')
    .where('controller_kind', '=', 'simulator')
    .where('ended_at_s', 'is', null)
    .where('missing_since_s', 'is', null)
    .where('controller_voucher_id', 'is not', null)
    .where('vouchers.id', '>', afterId)
    .orderBy('vouchers.id')
    .limit(AT_ONCE)
    .execute();
