// Caches the response of GET /vouchers.php per site: its bytes and its ETag. An entry is valid while the list version
// of the site is unchanged and no voucher in the list has expired since the entry was made. If this process records a
// voucher, the entry is not dropped: the next request puts the voucher in front of the bytes.

import { withOwnMemory } from '../../platform/concurrency/own-memory.ts';
import type { HttpResponse } from '../../platform/http/handler.ts';
import { taggedResponse } from '../../platform/http/if-none-match.ts';
import { makeSizedCache } from '../../platform/http/sized-cache.ts';
import { type Clock, toWholeSeconds } from '../../platform/time/clock.ts';
import type { SiteId } from '../ids.ts';
import { LIST_SIZE, nextExpiryS } from '../vouchers/list-vouchers.ts';
import type { Voucher } from '../vouchers/voucher.ts';
import type { SiteListChange, VoucherStore } from '../vouchers/voucher-records.ts';
import { presentVoucher } from './present-voucher.ts';

/** Enough for 10,000 sites with 20 vouchers each. */
const MAX_BYTES = 48_000_000;
/** What an entry takes beside its body. */
const BYTES_PER_ENTRY = 700;
const BYTES_PER_RECORDED = 300;

const BODY_START = '{"vouchers":[';
const BODY_END = ']}';
/** Found nowhere else in a body, because the quotes inside of texts are escaped. */
const VOUCHER_START = Buffer.from('{"voucher_code":');

/** For a site that the API key may not use: the same response as for a site that does not exist. */
export const EMPTY_LIST: HttpResponse = toResponse(toBody([]), () => EMPTY_LIST);

interface Entry {
  version: number;
  body: Buffer;
  /** The number of vouchers in the body. */
  listed: number;
  response: HttpResponse;
  /** Vouchers that are in the list but not in the body yet, newest last. */
  recorded: Voucher[];
  newestAtS: number;
  madeAtS: number;
  staleAtS: number;
}

/** A site's list version, read together with the API key. `version` is undefined for an unknown site. */
export interface KnownVersion {
  version: number | undefined;
}

interface Deps {
  vouchers: Pick<VoucherStore, 'listVersion' | 'listNewest' | 'onListChange'>;
  clock: Clock;
}

export function makeVoucherListCache({ vouchers, clock }: Deps) {
  const { listVersion, listNewest } = vouchers;
  const entries = makeSizedCache<SiteId, Entry>(MAX_BYTES);
  let changes = 0;
  vouchers.onListChange(applyChange);

  return async function listResponse(siteId: SiteId, known?: KnownVersion): Promise<HttpResponse> {
    const changesBefore = changes;
    const { version } = known ?? { version: await listVersion(siteId) };
    // An unknown site is not cached: requests with invented site ids would push real sites out of the cache.
    if (version === undefined) return EMPTY_LIST;
    const entry = entries.get(siteId);
    const ready = entry?.version === version ? currentResponse(siteId) : undefined;
    if (ready) return ready;

    entries.remove(siteId);
    const made = await makeEntry(siteId, version);
    // A change during the read may be in the entry already. It must not be put in front a second time.
    if (changes === changesBefore) keep(siteId, made);
    return made.response;
  };

  /** Undefined if there is no entry, or if a voucher in it has expired. The version must be the current one. */
  function currentResponse(siteId: SiteId): HttpResponse | undefined {
    const entry = entries.get(siteId);
    const nowS = toWholeSeconds(clock.nowMs());
    if (!entry || nowS < entry.madeAtS || nowS >= entry.staleAtS) return undefined;
    if (entry.recorded.length === 0) return entry.response;
    const renewed = withRecorded(entry, { siteId, nowS });
    keep(siteId, renewed);
    return renewed.response;
  }

  /** `version` must be read before the vouchers. If they change in between, the entry is outdated and is not reused. */
  async function makeEntry(siteId: SiteId, version: number): Promise<Entry> {
    const nowS = toWholeSeconds(clock.nowMs());
    const newest = await listNewest(siteId, LIST_SIZE);
    const body = toBody(newest.map((voucher) => toText(voucher, nowS)));
    return {
      version,
      body,
      listed: newest.length,
      response: toResponse(body, () => currentResponse(siteId)),
      recorded: [],
      newestAtS: newest[0]?.createdAtS ?? Number.NEGATIVE_INFINITY,
      madeAtS: nowS,
      staleAtS: nextExpiryS(newest, nowS) ?? Number.POSITIVE_INFINITY,
    };
  }

  function withRecorded(entry: Entry, { siteId, nowS }: { siteId: SiteId; nowS: number }): Entry {
    const { recorded, listed } = entry;
    const body = putInFront(recorded.map((voucher) => toText(voucher, nowS)).reverse(), entry);
    return {
      ...entry,
      body,
      listed: Math.min(listed + recorded.length, LIST_SIZE),
      response: toResponse(body, () => currentResponse(siteId)),
      recorded: [],
      madeAtS: nowS,
      staleAtS: Math.min(entry.staleAtS, nextExpiryS(recorded, nowS) ?? Number.POSITIVE_INFINITY),
    };
  }

  /** Called at every commit of this process that changes a list. The list is sorted by creation time, then by id. */
  function applyChange({ siteId, version, recorded }: SiteListChange): void {
    changes++;
    const entry = entries.get(siteId);
    if (!entry) return;
    const isNext = version !== undefined && entry.version === version - 1;
    const isFirst = recorded !== undefined && recorded.createdAtS >= entry.newestAtS;
    if (!isNext || !isFirst || entry.recorded.length >= LIST_SIZE) entries.remove(siteId);
    else {
      const { createdAtS: newestAtS } = recorded;
      keep(siteId, { ...entry, version, recorded: [...entry.recorded, recorded], newestAtS });
    }
  }

  function keep(siteId: SiteId, entry: Entry): void {
    const { body, recorded } = entry;
    entries.set(siteId, entry, body.length + BYTES_PER_ENTRY + BYTES_PER_RECORDED * recorded.length);
  }
}

const toText = (voucher: Voucher, nowS: number): string => JSON.stringify(presentVoucher(voucher, nowS));

function toBody(texts: string[]): Buffer {
  return withOwnMemory(Buffer.from(`${BODY_START}${texts.join()}${BODY_END}`));
}

/** Drops the oldest vouchers of the body, so that the list does not become longer than `LIST_SIZE`. */
function putInFront(texts: string[], { body, listed }: Pick<Entry, 'body' | 'listed'>): Buffer {
  let rest = body.subarray(BODY_START.length, -BODY_END.length);
  for (let length = listed + texts.length; length > LIST_SIZE; length--)
    rest = rest.subarray(0, Math.max(rest.lastIndexOf(VOUCHER_START) - ','.length, 0));
  const start = `${BODY_START}${texts.join()}${rest.length > 0 ? ',' : ''}`;
  return withOwnMemory(Buffer.concat([Buffer.from(start), rest, Buffer.from(BODY_END)]));
}

function toResponse(body: Buffer, again: () => HttpResponse | undefined): HttpResponse {
  // The bound of this cache already counts the bytes.
  return { ...taggedResponse(body), reuse: { again, bytes: 0 } };
}
