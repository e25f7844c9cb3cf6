// Finds a voucher by its id or its code, and marks a voucher as revoked. A later sync does not undo the revocation. A
// voucher that has expired stays expired.

import { sql } from 'kysely';
import type { Handle } from '../../../platform/database/database.ts';
import { type Actor, toActorText } from '../../audit/actor.ts';
import { asSiteId, asVoucherId, type SiteId, type VoucherId } from '../../ids.ts';
import type { RevocableFinder } from '../revoke-by-id.ts';
import { isIn, isOneOf } from './search-filter-queries.ts';

export async function markVoucherRevoked(
  handle: Handle,
  id: VoucherId,
  { actor, atS }: { actor: Actor; atS: number },
): Promise<boolean> {
  const result = await handle
    .updateTable('vouchers')
    .set({ ended_at_s: atS, revoked_at_s: atS, revoked_by: toActorText(actor) })
    .where('id', '=', id)
    .where('revoked_at_s', 'is', null)
    .where(sql<boolean>`not (${isIn('expired', atS)})`)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Only such texts are looked up. Others cannot be codes, and may contain characters that PostgreSQL refuses. */
const CODE = /^[\dA-Za-z]{1,64}$/;

/** The newest voucher of the site with this code. */
export async function selectIdByCode(
  handle: Handle,
  siteId: SiteId,
  code: string,
): Promise<VoucherId | undefined> {
  if (!CODE.test(code)) return undefined;
  // `isOneOf` makes the query use the index of codes, which is fast, because few vouchers have the same code.
  const row = await handle
    .selectFrom('vouchers')
    .select('id')
    .where('code', '=', code)
    .where(isOneOf([siteId]))
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row && asVoucherId(row.id);
}

export async function selectRevocable(
  handle: Handle,
  id: VoucherId,
): ReturnType<RevocableFinder['findById']> {
  const row = await handle
    .selectFrom('vouchers')
    .select(['site_id', 'controller_voucher_id', 'code', 'revoked_at_s'])
    .where('id', '=', id)
    .executeTakeFirst();
  return (
    row && {
      id,
      siteId: asSiteId(row.site_id),
      controllerVoucherId: row.controller_voucher_id,
      code: row.code,
      revokedAtS: row.revoked_at_s,
    }
  );
}
