// Finds recorded vouchers that are missing from a controller's list. The callers, sync-site.ts and compare-site.ts,
// decide what a missing voucher means.

import { asVoucherId, type SiteId, type VoucherId } from '../ids.ts';
import type { KnownVoucher, UsageStore } from './usage-records.ts';

/**
 * Vouchers younger than this do not count as missing, because some controllers list a new voucher only after a delay.
 */
const YOUNG_S = 60;
const CHUNK_ROWS = 200;

interface Input {
  siteId: SiteId;
  /** The controller's ids of the vouchers in its list. */
  listed: Pick<ReadonlySet<string>, 'has'>;
  /** The id of the newest voucher that was recorded before the list was read. */
  newestId: VoucherId;
  nowS: number;
}

/**
 * Yields vouchers that the controller should list but does not. Leaves out vouchers that were recorded after `newestId`
 * was read, and vouchers that are less than a minute old.
 */
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
