// Finds the vouchers and batches that an API key may see, as the responses present them.

import { type BatchStore, MAX_BATCH_SIZE } from '../../kernel/batches/batch.ts';
import type { BatchId, SiteId, VoucherId } from '../../kernel/ids.ts';
import { type ApiKey, includesSite } from '../../kernel/keys/api-key.ts';
import type { SiteStore } from '../../kernel/sites/site.ts';
import { siteIdsOfKey } from '../../kernel/sites/sites-for.ts';
import type { ReplacedVoucherStore } from '../../kernel/vouchers/replaced-vouchers.ts';
import type { VoucherFinder } from '../../kernel/vouchers/voucher-search.ts';
import { type Clock, toWholeSeconds } from '../../platform/time/clock.ts';
import { presentVoucher, presentWithHistory } from './present.ts';
import { presentBatch } from './present-batch.ts';
import type { Batch, Replaced, Voucher, VoucherWithHistory } from './responses.ts';

/** Undefined if there is no such thing, or if the key may not see it. */
export interface Found {
  voucher(id: VoucherId, apiKey: ApiKey): Promise<Voucher | undefined>;
  withHistory(id: VoucherId, apiKey: ApiKey): Promise<VoucherWithHistory | undefined>;
  byCode(siteId: SiteId, code: string, apiKey: ApiKey): Promise<VoucherWithHistory | undefined>;
  batch(id: BatchId, apiKey: ApiKey): Promise<Batch | undefined>;
  /** The vouchers that this voucher replaces. */
  replacedBy(id: VoucherId): Promise<Replaced[]>;
}

export interface FoundDeps {
  sites: Pick<SiteStore, 'list'>;
  finder: Pick<VoucherFinder, 'search' | 'findByCode'>;
  batches: Pick<BatchStore, 'find'>;
  replacedVouchers: Pick<ReplacedVoucherStore, 'listReplacedBy'>;
  clock: Clock;
}

export function makeFound({ sites, finder, batches, replacedVouchers, clock }: FoundDeps): Found {
  const nowOf = () => toWholeSeconds(clock.nowMs());

  async function find(id: VoucherId, { sites: keySites }: ApiKey) {
    const siteIds = await siteIdsOfKey(keySites, sites);
    return (await finder.search({ siteIds, id, limit: 1, nowS: nowOf() })).vouchers[0];
  }

  return {
    async voucher(id, apiKey) {
      const voucher = await find(id, apiKey);
      return voucher && presentVoucher(voucher, nowOf());
    },
    async withHistory(id, apiKey) {
      const voucher = await find(id, apiKey);
      return voucher && presentWithHistory(voucher, nowOf());
    },
    async byCode(siteId, code, apiKey) {
      const voucher = includesSite(apiKey.sites, siteId) ? await finder.findByCode(siteId, code) : undefined;
      return voucher && presentWithHistory(voucher, nowOf());
    },
    async replacedBy(id) {
      const replaced = await replacedVouchers.listReplacedBy(id);
      return replaced.map(({ id, isLiving }) => ({ id, state: isLiving ? 'pending' : 'done' }));
    },
    async batch(id, apiKey) {
      const batch = await batches.find(id);
      const siteId = batch?.order.siteId;
      if (!siteId || !includesSite(apiKey.sites, siteId)) return undefined;
      const nowS = nowOf();
      const { vouchers } = await finder.search({
        siteIds: [siteId],
        batchId: id,
        limit: MAX_BATCH_SIZE,
        nowS,
      });
      return presentBatch(
        batch,
        vouchers.map((voucher) => presentVoucher(voucher, nowS)),
      );
    },
  };
}
