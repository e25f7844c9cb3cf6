// Tests that a search is read to its end: another page follows a full page, and a page that ends before the search has
// examined all vouchers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asSiteId, asVoucherId } from '../ids.ts';
import { foundChunks } from './found-chunks.ts';
import { SAMPLE_VOUCHER } from './sample-voucher.ts';
import type { FoundVoucher, FoundVouchers, SearchMark } from './voucher-search.ts';

const found = (id: number): FoundVoucher => ({
  ...SAMPLE_VOUCHER,
  id: asVoucherId(id),
  siteId: asSiteId(1),
  siteName: 'Haus A',
  siteTimeZone: null,
  isDemo: false,
  name: 'Gast',
  nameSortKey: '',
  ownerName: null,
  createdBy: null,
  batchId: null,
  batchSize: 1,
  controllerVoucherId: null,
  consoleName: null,
  revokedAtS: null,
  revokedBy: null,
  replacedBy: null,
  successorId: null,
  reference: null,
  note: null,
  profileId: null,
});

async function read(pages: FoundVouchers[]) {
  const marks: (SearchMark | undefined)[] = [];
  const finder = {
    async search({ after }: { after?: SearchMark }) {
      marks.push(after);
      return pages[marks.length - 1] ?? { vouchers: [] };
    },
    findByCode: async () => undefined,
    countInBatches: async () => [],
  };
  let count = 0;
  for await (const chunk of foundChunks(finder, { siteIds: [asSiteId(1)], nowS: 0 })) count += chunk.length;
  return { count, after: marks.map((mark) => mark?.id) };
}

const full = Array.from({ length: 1_000 }, (_, at) => found(3_000 - at));

test('a search that fills a page goes on behind it, and ends with a page that is not full', async () => {
  const pages = [{ vouchers: full }, { vouchers: [found(7)] }, { vouchers: [found(6)] }];
  assert.deepEqual(await read(pages), { count: 1_001, after: [undefined, 2_001] });
});

test('a search that has not examined all vouchers goes on, although a page is not full', async () => {
  const lookedUntil = { createdAtS: 0, nameSortKey: '', id: 500 };
  const pages = [{ vouchers: [found(900)], lookedUntil }, { vouchers: [found(7)] }];
  assert.deepEqual(await read(pages), { count: 2, after: [undefined, 500] });
});
