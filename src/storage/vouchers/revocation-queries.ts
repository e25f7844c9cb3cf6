// Marks a voucher as revoked. A later sync does not undo the revocation.

import { type Actor, toActorText } from '../../domain/audit/actor.ts';
import type { VoucherId } from '../../domain/ids.ts';
import type { Handle } from '../database.ts';

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
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
