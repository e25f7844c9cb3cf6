// Computes the sort key of the name for vouchers that were recorded by a release without sort keys.

import type { Database, Handle } from '../../../platform/database/database.ts';
import type { SiteId } from '../../ids.ts';
import type { FillNameSortKeys } from '../voucher-search.ts';
import { toNameSortKey } from './sorting.ts';

export function makeFillNameSortKeys(database: Database): FillNameSortKeys {
  return async function fillNameSortKeys(siteId, limit) {
    const without = await selectWithoutSortKey(database.read, siteId, limit);
    if (without.length > 0)
      await database.write(async (transaction) => {
        for (const { id, name } of without) await updateNameSortKey(transaction, id, name);
      });
    return without.length;
  };
}

function selectWithoutSortKey(
  handle: Handle,
  siteId: SiteId,
  limit: number,
): Promise<{ id: number; name: string }[]> {
  return handle
    .selectFrom('vouchers')
    .select(['id', 'name'])
    .where('site_id', '=', siteId)
    .where('name_order', '=', '')
    .orderBy('id')
    .limit(limit)
    .execute();
}

async function updateNameSortKey(handle: Handle, id: number, name: string): Promise<void> {
  await handle
    .updateTable('vouchers')
    .set({ name_order: toNameSortKey(name) })
    .where('id', '=', id)
    // The name may have been erased since it was read.
    .where('name', '=', name)
    .execute();
}
