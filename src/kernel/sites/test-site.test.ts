// Tests the test of a site: what remains on the controller when a step fails, and how a test voucher is recognised.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fail, ok } from '../../platform/values/result.ts';
import type { Controller, ControllerFailure, UpstreamVoucher } from '../controllers/controller.ts';
import { asSiteId } from '../ids.ts';
import { isTestVoucher, makeTestSite, TEST_ORDER, type TestFailure } from './test-site.ts';

const away: ControllerFailure = { kind: 'unreachable', cause: 'away', text: 'it is away' };

function voucher(fields: Partial<UpstreamVoucher> = {}): UpstreamVoucher {
  const fresh = { usedCount: 0, createdAtMs: 0, firstUsedAtMs: null };
  return { ...TEST_ORDER, ...fresh, controllerVoucherId: 'id-1', code: '0482715936', ...fields };
}

/** Runs the test on a controller with this behaviour; returns the outcome and the ids of the deleted vouchers. */
async function run(behaviour: {
  check?: ControllerFailure;
  made?: UpstreamVoucher[] | ControllerFailure;
  deletion?: ControllerFailure;
}): Promise<[TestFailure | undefined, string[]]> {
  const { check, made = [voucher()], deletion } = behaviour;
  const deleted: string[] = [];
  const controller: Controller = {
    bounds: {},
    overload: () => undefined,
    createVouchers: async () => (Array.isArray(made) ? ok({ vouchers: made }) : fail(made)),
    findVouchersNamed: async () => ok([]),
    forEachVoucherChunk: async () => undefined,
    findUses: async () => ok(new Map()),
    listSites: async () => ok([]),
    async deleteVoucher(id) {
      deleted.push(id);
      return deletion ? fail(deletion) : ok('deleted');
    },
    listsAny: async () => ok(true),
    check: async () => check,
  };
  const testSite = makeTestSite({
    controllerOf: () => controller,
    timeout: () => new AbortController().signal,
  });
  const site = {
    id: asSiteId(1),
    name: 'Haus A',
    active: true,
    controllerKind: 'simulator' as const,
    controllerSite: 'y',
  };
  return [
    await testSite({
      ...site,
      connection: null,
      importsForeign: true,
      checkOut: '11:00',
      timeZone: null,
      hasGuestPage: false,
      replyTo: null,
    }),
    deleted,
  ];
}

test('the test succeeds if a voucher is created and deleted', async () => {
  assert.deepEqual(await run({}), [undefined, ['id-1']]);
});

test('every voucher that the controller returns for the test order is deleted', async () => {
  const made = [voucher(), voucher({ controllerVoucherId: 'id-2' })];
  assert.deepEqual(await run({ made }), [undefined, ['id-1', 'id-2']]);
});

test('the result names the failed step, and the code of a voucher that is left', async () => {
  assert.deepEqual(await run({ check: away }), [{ step: 'check', failure: away }, []]);
  assert.deepEqual(await run({ made: away }), [{ step: 'create', failure: away }, []]);
  const [left] = await run({ deletion: away });
  assert.deepEqual(left, { step: 'delete', failure: away, code: '0482715936' });
  const [without] = await run({ made: [voucher({ controllerVoucherId: null })] });
  assert.partialDeepStrictEqual(without, { step: 'delete', code: '0482715936' });
});

test('no voucher, or a voucher without a code, is a failure, and no voucher is left', async () => {
  for (const made of [[], [voucher({ code: null })]]) {
    const [failed, deleted] = await run({ made });
    assert.partialDeepStrictEqual(failed, { step: 'create', failure: { cause: 'no-voucher' } });
    assert.equal(deleted.length, made.length);
  }
});

test('a test voucher is recognised by its name and limits, so that a guest’s voucher is never mistaken for it', () => {
  assert.equal(isTestVoucher(voucher({ usedCount: 1 })), true);
  for (const other of [{ name: '2026-01-15_Gastpass Test' }, { maxUses: 2 }, { expireMinutes: 480 }])
    assert.equal(isTestVoucher(voucher(other)), false);
});
