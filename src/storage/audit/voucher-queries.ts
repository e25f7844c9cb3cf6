// Queries for the vouchers and batches that audit entries name.

import type { Handle } from '../database.ts';

export function selectCodes(handle: Handle, ids: number[]): Promise<{ id: number; code: string }[]> {
  return handle.selectFrom('vouchers').select(['id', 'code']).where('id', 'in', ids).execute();
}

export function selectBatchIds(handle: Handle, ids: string[]): Promise<{ id: string }[]> {
  return handle.selectFrom('batches').select('id').where('id', 'in', ids).execute();
}

export function selectVouchersByCode(
  handle: Handle,
  code: string,
): Promise<{ id: number; batch_id: string | null }[]> {
  return handle
    .selectFrom('vouchers')
    .select(['id', 'batch_id'])
    .where('code', '=', code)
    .limit(20)
    .execute();
}
