// Tests how the records of a site are compared with its controller.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SITE } from '../../../tests/support/site.ts';
import { ok } from '../../platform/values/result.ts';
import type { Controller, UpstreamVoucher } from '../controllers/controller.ts';
import { asStockId, asVoucherId } from '../ids.ts';
import { TEST_ORDER } from '../sites/test-site.ts';
import type { StockVoucher } from '../stock/stock-voucher.ts';
import { makeCompareSite } from './compare-site.ts';
import type { KnownVoucher } from './usage-records.ts';

const NOW_S = 1_000_000;

function listed(id: string, name = id): UpstreamVoucher {
  const limits = { maxUses: 1, expireMinutes: 60, downKbps: 0, upKbps: 0, quotaMb: 0 };
  return {
    controllerVoucherId: id,
    name,
    code: '1',
    usedCount: 0,
    createdAtMs: 0,
    firstUsedAtMs: null,
    ...limits,
  };
}

function recorded(number: number, changes: Partial<KnownVoucher> = {}): KnownVoucher {
  const usage = { usedCount: 0, firstUsedAtS: null, endedAtS: null, endsAtS: null, missingSinceS: null };
  const limits = { maxUses: 1, expireMinutes: 60, createdAtS: 0 };
  return { id: asVoucherId(number), controllerVoucherId: `id-${number}`, ...usage, ...limits, ...changes };
}

const notCalled = () => assert.fail('only the list may be read');

function compare(input: {
  lists: UpstreamVoucher[][];
  records: KnownVoucher[];
  uses?: string[];
  awaited?: string[];
  stocked?: StockVoucher[];
}) {
  const { lists, records, uses = [], awaited = [], stocked = [] } = input;
  let reads = 0;
  const controller: Controller = {
    bounds: {},
    overload: notCalled,
    createVouchers: notCalled,
    findVouchersNamed: notCalled,
    deleteVoucher: notCalled,
    listsAny: notCalled,
    listSites: notCalled,
    check: notCalled,
    async forEachVoucherChunk(onChunk) {
      const list = lists[Math.min(reads++, lists.length - 1)];
      if (!list) return { kind: 'unreachable', text: 'away' };
      await onChunk(list);
      return undefined;
    },
    findUses: async () => ok(new Map(uses.map((id) => [id, 1]))),
  };
  return makeCompareSite({
    usage: {
      newestId: async () => asVoucherId(99),
      findKnown: async (_, ids) => records.filter((each) => ids.includes(each.controllerVoucherId)),
      readExpected: async (_, afterId) => records.filter(({ id }) => id > afterId),
    },
    vouchers: { listIntents: async () => awaited.map((name) => ({ order: { name } })) },
    stock: { list: async () => stocked },
    controllerOf: () => controller,
    clock: { nowMs: () => NOW_S * 1_000 },
  })(SITE, new AbortController().signal);
}

test('vouchers that the controller lacks and vouchers that are not recorded are told apart', async () => {
  const compared = await compare({
    lists: [
      [
        listed('id-1'),
        listed('id-9', 'Tagung'),
        { ...listed('id-10'), ...TEST_ORDER },
        listed('id-11', 'Zimmer 3'),
      ],
    ],
    records: [recorded(1), recorded(2), recorded(3)],
    uses: ['id-3'],
    awaited: ['Zimmer 3'],
  });
  assert.deepEqual(compared, ok({ listed: 4, recorded: 1, missing: [2], unrecorded: ['Tagung'] }));
});

test('vouchers that are used up, expired, ended or new need not be on the controller', async () => {
  const records = [
    recorded(1, { usedCount: 1 }),
    recorded(2, { maxUses: 2, usedCount: 1, firstUsedAtS: NOW_S - 3_600 }),
    recorded(3, { endedAtS: 1 }),
    recorded(4, { createdAtS: NOW_S - 30 }),
  ];
  const compared = await compare({ lists: [[]], records });
  assert.deepEqual(compared, ok({ listed: 0, recorded: 0, missing: [], unrecorded: [] }));
});

test('a voucher that only the second reading finds is not missing, and a failed reading is a failure', async () => {
  const found = await compare({ lists: [[], [listed('id-1')]], records: [recorded(1)] });
  assert.deepEqual(found, ok({ listed: 1, recorded: 1, missing: [], unrecorded: [] }));
  assert.equal((await compare({ lists: [], records: [] })).ok, false);
});

function inStock(
  number: number,
  controllerVoucherId: string | null,
  { code = String(number), ...fields }: Partial<StockVoucher> = {},
): StockVoucher {
  return {
    ...listed(String(controllerVoucherId)),
    id: asStockId(number),
    siteId: SITE.id,
    screenId: null,
    state: 'ready',
    missing: null,
    controllerVoucherId,
    code,
    madeAtMs: 0,
    ageMs: 120_000,
    ...fields,
  };
}

test('vouchers that the stock has and the controller lacks are counted', async () => {
  const stocked = [
    inStock(1, 'id-1'),
    inStock(2, 'id-2'),
    inStock(3, 'id-3', { ageMs: 30_000 }),
    inStock(4, 'id-4', { state: 'missing' }),
    inStock(5, 'id-5', { state: 'leaving' }),
    inStock(6, 'id-6'),
    inStock(7, 'id-7'),
  ];
  const lists = [[listed('id-1')], [listed('id-1'), listed('id-7')]];
  const compared = await compare({ lists, records: [], stocked, uses: ['id-6'] });
  assert.deepEqual(compared, ok({ listed: 2, recorded: 2, missing: [], unrecorded: [], missingInStock: 1 }));
});

test('a voucher in the stock is known, with or without the id of the controller', async () => {
  const compared = await compare({
    lists: [[listed('id-1'), { ...listed('id-2'), code: '2' }, { ...listed('id-3'), code: '3' }]],
    records: [],
    stocked: [inStock(1, 'id-1'), inStock(2, null)],
  });
  assert.deepEqual(compared, ok({ listed: 3, recorded: 2, missing: [], unrecorded: ['id-3'] }));
});
