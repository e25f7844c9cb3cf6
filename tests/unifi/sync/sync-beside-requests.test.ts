// Tests that a sync of many vouchers, which runs in the service itself, does not block requests.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Controller, UpstreamVoucher } from '../../../src/kernel/controllers/controller.ts';
import { asSiteId } from '../../../src/kernel/ids.ts';
import { makeSyncUseCases } from '../../../src/kernel/vouchers/sync-use-cases.ts';
import { ok } from '../../../src/platform/values/result.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';

const VOUCHERS = 3_000;
/** Waiting requests can run in each turn of the event loop. A sync without pauses would leave hardly any turns. */
const MIN_TURNS = 25;

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

function listing(usedCount: number): Controller {
  const limits = { maxUses: 5, expireMinutes: 60, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const vouchers = Array.from({ length: VOUCHERS }, (_, index): UpstreamVoucher => {
    const fresh = { usedCount, createdAtMs: 1_000, firstUsedAtMs: usedCount > 0 ? 2_000 : null };
    return { name: 'Saison', ...limits, controllerVoucherId: `id-${index}`, code: `${index}`, ...fresh };
  });
  const none = async () => ok([]);
  return {
    bounds: {},
    overload: () => undefined,
    createVouchers: async () => ok({ vouchers: [] }),
    findVouchersNamed: none,
    forEachVoucherChunk: async (onChunk) => void (await onChunk(vouchers)),
    findUses: async () => ok(new Map()),
    deleteVoucher: async () => ok('deleted'),
    listsAny: async () => ok(true),
    listSites: async () => ok([]),
    check: async () => undefined,
  };
}

test('a sync of 3,000 vouchers does not block the event loop: import, nothing new, all used', async () => {
  const site = await service.beside.sites.find(asSiteId(1));
  assert.ok(site);
  for (const [usedCount, expected] of [
    [0, { imported: VOUCHERS, changed: 0 }],
    [0, { imported: 0, changed: 0 }],
    [1, { imported: 0, changed: VOUCHERS }],
  ] as const) {
    const { syncSite } = makeSyncUseCases({ ...service.beside, controllerOf: () => listing(usedCount) });
    let turns = 0;
    let next = setImmediate(function turn() {
      turns++;
      next = setImmediate(turn);
    });
    const synced = await syncSite(site, new AbortController().signal);
    clearImmediate(next);
    assert.ok(synced?.ok);
    assert.partialDeepStrictEqual(synced.value, expected);
    assert.ok(turns >= MIN_TURNS, `${turns} turns of the event loop`);
  }
});
