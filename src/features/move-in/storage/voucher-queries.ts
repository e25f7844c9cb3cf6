// Writes the vouchers of another tool as they are read from its dump. Vouchers without an id from the controller are
// written last. If the code of such a voucher is already recorded, it is the same voucher and is left out.

import { CONTROLLER, serviceActor, toActorText, userActor } from '../../../kernel/audit/actor.ts';
import { toNameSortKey } from '../../../kernel/vouchers/storage/sorting.ts';
import { movedInEndS } from '../../../kernel/vouchers/voucher-state.ts';
import type { Handle } from '../../../platform/database/database.ts';
import { toWholeSeconds } from '../../../platform/time/clock.ts';
import type { MovedInData, MovedInVoucher } from '../moved-in-data.ts';
import type { Remarks } from '../report.ts';
import type { KnownUsers } from './user-queries.ts';

const VOUCHERS_PER_INSERT = 50;
const DOUBLED = 'left out: the site has this voucher twice';

interface Input {
  data: Pick<MovedInData, 'vouchers'>;
  siteIds: ReadonlySet<number>;
  users: KnownUsers;
  remarks: Remarks;
  atMs: number;
}

/** Returns the number of vouchers written. */
export async function insertVouchers(handle: Handle, input: Input): Promise<number> {
  const { data, siteIds, remarks } = input;
  let inserted = 0;
  for (const which of ['with-id', 'without-id'] as const)
    for await (const vouchers of data.vouchers(which)) {
      const own = vouchers.filter(({ siteId, line }) => {
        const isThere = siteIds.has(siteId);
        if (!isThere) remarks.add('vouchers', 'left out: the site is not there', `line ${line}`);
        return isThere;
      });
      for (let start = 0; start < own.length; start += VOUCHERS_PER_INSERT) {
        const slice = own.slice(start, start + VOUCHERS_PER_INSERT);
        const fresh = which === 'with-id' ? slice : await withoutRecorded(handle, slice, remarks);
        inserted += await insertSlice(handle, fresh, input);
      }
    }
  return inserted;
}

async function withoutRecorded(
  handle: Handle,
  vouchers: MovedInVoucher[],
  remarks: Remarks,
): Promise<MovedInVoucher[]> {
  const codes = vouchers.map(({ code }) => code);
  const rows = await handle
    .selectFrom('vouchers')
    .select(['site_id', 'code'])
    .where('code', 'in', codes)
    .execute();
  const recorded = new Set(rows.map(({ site_id, code }) => `${site_id} ${code}`));
  return vouchers.filter(({ siteId, code, line }) => {
    const isNew = !recorded.has(`${siteId} ${code}`);
    if (!isNew) remarks.add('vouchers', DOUBLED, `line ${line}`);
    return isNew;
  });
}

async function insertSlice(handle: Handle, vouchers: MovedInVoucher[], input: Input): Promise<number> {
  if (vouchers.length === 0) return 0;
  const rows = await handle
    .insertInto('vouchers')
    .values(vouchers.map((voucher) => toColumns(voucher, input)))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  for (let missing = rows.length; missing < vouchers.length; missing++)
    input.remarks.add('vouchers', DOUBLED);
  return rows.length;
}

function toColumns(voucher: MovedInVoucher, { users, atMs }: Input) {
  const owner = voucher.userId === null ? undefined : users.get(voucher.userId);
  const other = voucher.isForeign ? CONTROLLER : serviceActor('Unifi-Voucher-Tool');
  const actor = owner ? userActor(owner) : other;
  const createdAtS = toWholeSeconds(voucher.createdAtMs ?? atMs);
  return {
    site_id: voucher.siteId,
    code: voucher.code,
    name: voucher.name,
    max_uses: voucher.maxUses,
    expire_minutes: voucher.expireMinutes,
    down_kbps: 0,
    up_kbps: 0,
    quota_mb: 0,
    name_order: toNameSortKey(voucher.name),
    controller_voucher_id: voucher.controllerVoucherId,
    owner_user_id: owner?.id ?? null,
    source: toActorText(actor),
    actor_id: actor.id,
    used_count: voucher.usedCount,
    created_at_s: createdAtS,
    ended_at_s: voucher.isExpired ? movedInEndS({ createdAtS, expireMinutes: voucher.expireMinutes }) : null,
  };
}
