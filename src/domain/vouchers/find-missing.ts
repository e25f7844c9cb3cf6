// Finds recorded vouchers that are missing from a controller's list. Syncing and comparing a site decide what that means.

import { asVoucherId, type SiteId, type VoucherId } from '../ids.ts';
import type { KnownVoucher, UsageStore } from './usage-store.ts';

/** Some controllers list a new voucher only after a delay. */
const YOUNG_S = 60;
const CHUNK_ROWS = 200;

interface Input {
  siteId: SiteId;
  /** The controller's ids of the vouchers in its list. */
  listed: Pick<ReadonlySet<string>, 'has'>;
  /** The newest recorded voucher before the list was read. */
  newestId: VoucherId;
  nowS: number;
}

/** Vouchers that the controller should have listed, except those recorded since the list was read or a minute before. */
export async function* findMissing(
  usage: Pick<UsageStore, 'readExpected'>,
  { siteId, listed, newestId, nowS }: Input,
): AsyncGenerator<KnownVoucher> {
  for (let afterId = asVoucherId(0); afterId < newestId; ) {
    const chunk = await usage.readExpected(siteId, afterId, CHUNK_ROWS);
    for (const voucher of chunk) {
      const isNew = voucher.id > newestId || voucher.createdAtS >= nowS - YOUNG_S;
      if (!isNew && !listed.has(voucher.controllerVoucherId)) yield voucher;
    }
    const last = chunk.at(-1);
    if (!last) return;
    afterId = last.id;
  }
}
