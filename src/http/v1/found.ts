// Finds the vouchers and batches that an API key may see, as the responses present them.

import type { BatchStore, Batch as StoredBatch } from '../../domain/batches/batch.ts';
import { MAX_BATCH_SIZE } from '../../domain/batches/batch.ts';
import { type Clock, toWholeSeconds } from '../../domain/clock.ts';
import {
  type FailureCause,
  isCertificateCause,
  isFixedByConnection,
  publishedCause,
} from '../../domain/controller.ts';
import type { BatchId, SiteId, VoucherId } from '../../domain/ids.ts';
import { type ApiKey, includesSite } from '../../domain/keys/api-key.ts';
import type { SiteStore } from '../../domain/sites/site.ts';
import type { OrderedByKey } from '../../domain/vouchers/create-vouchers.ts';
import type { VoucherFinder } from '../../domain/vouchers/voucher-search.ts';
import type { HttpRequest } from '../handler.ts';
import type { Retry } from '../problem-response.ts';
import { presentVoucher, presentWithHistory } from './present.ts';
import { PROBLEM_KINDS, typeOf } from './problem-kinds.ts';
import type { Batch, Voucher, VoucherWithHistory } from './responses.ts';
import { sitesOf } from './voucher-list.ts';

/** Undefined if there is no such thing, or if the key may not see it. */
export interface Found {
  voucher(id: VoucherId, apiKey: ApiKey): Promise<Voucher | undefined>;
  withHistory(id: VoucherId, apiKey: ApiKey): Promise<VoucherWithHistory | undefined>;
  byCode(siteId: SiteId, code: string, apiKey: ApiKey): Promise<VoucherWithHistory | undefined>;
  batch(id: BatchId, apiKey: ApiKey): Promise<Batch | undefined>;
}

export interface FoundDeps {
  sites: Pick<SiteStore, 'list'>;
  finder: Pick<VoucherFinder, 'search' | 'findByCode'>;
  batches: Pick<BatchStore, 'find'>;
  clock: Clock;
}

export function makeFound({ sites, finder, batches, clock }: FoundDeps): Found {
  const nowOf = () => toWholeSeconds(clock.nowMs());

  async function find(id: VoucherId, { sites: keySites }: ApiKey) {
    const siteIds = await sitesOf(keySites, sites);
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

/** The count of created vouchers and the list are the same read, so they agree. */
function presentBatch(
  { id, wanted, endedAtMs, problem, cause, isUncertain }: StoredBatch,
  vouchers: Voucher[],
): Batch {
  const end = problem === null ? 'done' : 'failed';
  const [, title] = PROBLEM_KINDS['creation-failed'];
  return {
    id,
    state: endedAtMs === null ? 'running' : end,
    count: wanted,
    created: vouchers.length,
    vouchers,
    problem:
      problem === null
        ? null
        : {
            type: typeOf('creation-failed'),
            title,
            cause: cause && publishedCause(cause),
            retry: isUncertain ? 'after-settling' : retryAfter(cause),
          },
  };
}

/** Whether ordering the missing vouchers again may help, as far as the stored cause tells. */
function retryAfter(cause: FailureCause | null): Retry {
  return isFixedByConnection(cause) || isCertificateCause(cause) || cause === 'refused' ? 'no' : 'yes';
}

export function orderedBy(request: HttpRequest, { id, name, sites }: ApiKey): OrderedByKey {
  return { actor: { kind: 'key', id, name }, requestId: request.id, ip: request.clientIp(), keySites: sites };
}
