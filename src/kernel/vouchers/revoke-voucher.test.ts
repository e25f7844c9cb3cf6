// Tests that a voucher is recorded as revoked only if its own controller no longer has it. A voucher without the
// controller's id is looked up by its code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import { serviceActor } from '../audit/actor.ts';
import type { ControllerFailure, Deletion, UpstreamVoucher } from '../controllers/controller.ts';
import { asSiteId, asVoucherId } from '../ids.ts';
import { OTHER_CONSOLE } from './check-console.ts';
import { makeRevokeVoucher } from './revoke-voucher.ts';

const CODE = '0482715936';
const AWAY: ControllerFailure = {
  kind: 'unreachable',
  cause: 'nobody-answers',
  text: 'connect ECONNREFUSED',
};
const siteId = asSiteId(1);
const site = {
  id: siteId,
  name: 'Haus A',
  active: true,
  controllerKind: 'simulator' as const,
  controllerSite: 'default',
  connection: null,
  importsForeign: false,
  checkOut: '11:00',
  timeZone: null,
  hasGuestPage: false,
  replyTo: null,
};

const listed = (controllerVoucherId: string | null, code: string | null): UpstreamVoucher => ({
  name: 'Zimmer 4||;;||web',
  maxUses: 1,
  expireMinutes: 60,
  downKbps: 0,
  upKbps: 0,
  quotaMb: 0,
  controllerVoucherId,
  code,
  usedCount: 0,
  createdAtMs: 0,
  firstUsedAtMs: null,
});

interface Told {
  controllerVoucherId?: string | null;
  /** The list as each read returns it; the last one is returned from then on. */
  lists?: UpstreamVoucher[][];
  unreadable?: ControllerFailure;
  deletion?: Result<Deletion, ControllerFailure>;
  /** Other vouchers that the controller should have, by our records. */
  expected?: string[];
  /** The vouchers that the controller has, for the question whether it has any of ours. */
  has?: Result<string[], ControllerFailure>;
  /** The vouchers that guests have used, also if the controller no longer lists them. */
  used?: string[];
}

async function revoke(told: Told) {
  const { controllerVoucherId = null, lists = [], unreadable } = told;
  const { deletion = ok('deleted'), expected = [], has = ok([]) } = told;
  const calls: string[] = [];
  let reads = 0;
  const revokeVoucher = makeRevokeVoucher({
    noteFailedOrder: async () => {},
    failedOrders: { forget: async () => {} },
    sites: { find: async () => site },
    revocations: { markRevoked: async () => calls.push('mark') > 0 },
    controllerOf: () => ({
      async forEachVoucherChunk(onChunk) {
        calls.push('list');
        for (const voucher of lists[Math.min(reads++, lists.length - 1)] ?? []) await onChunk([voucher]);
        return unreadable;
      },
      async deleteVoucher(id) {
        calls.push(`delete ${id}`);
        return deletion;
      },
      async listsAny(ids) {
        calls.push(`any of ${ids.join()}`);
        return has.ok ? ok(ids.some((id) => has.value.includes(id))) : has;
      },
      findUses: async () => ok(new Map((told.used ?? []).map((id) => [id, 0]))),
    }),
    usage: { sampleExpected: async () => expected },
    timeout: () => new AbortController().signal,
  });
  const voucher = { id: asVoucherId(9), siteId, controllerVoucherId, code: CODE };
  const failure = await revokeVoucher(voucher, { actor: serviceActor('Clean-up'), atMs: 0 });
  return { failure, calls };
}

test('a voucher with an id is deleted in one call', async () => {
  const { failure, calls } = await revoke({ controllerVoucherId: 'v9', lists: [[listed('v9', CODE)]] });
  assert.deepEqual([failure, calls], [undefined, ['delete v9', 'mark']]);
});

test('a voucher without an id is deleted by the id that the controller lists for its code', async () => {
  const list = [listed('v1', '1111111111'), listed('v2', null), listed('v3', CODE)];
  const { failure, calls } = await revoke({ lists: [list] });
  assert.deepEqual([failure, calls], [undefined, ['list', 'delete v3', 'mark']]);
});

test('a voucher that the first read missed is found by the second', async () => {
  const { calls } = await revoke({ lists: [[listed('v1', '1111111111')], [listed('v3', CODE)]] });
  assert.deepEqual(calls, ['list', 'list', 'delete v3', 'mark']);
});

test('a voucher that the controller does not list is recorded as revoked', async () => {
  const { failure, calls } = await revoke({ lists: [[listed('v1', '1111111111')]] });
  assert.deepEqual([failure, calls], [undefined, ['list', 'list', 'mark']]);
});

test('a voucher that could not be looked up or deleted is not recorded as revoked', async () => {
  const list = [listed('v3', CODE)];
  const unread = await revoke({ lists: [list], unreadable: AWAY });
  assert.deepEqual([unread.failure, unread.calls], [AWAY, ['list']]);
  const undeleted = await revoke({ lists: [list], deletion: fail(AWAY) });
  assert.deepEqual([undeleted.failure, undeleted.calls], [AWAY, ['list', 'delete v3']]);
  const without = await revoke({ lists: [[listed(null, CODE)]] });
  assert.equal(without.failure?.kind, 'refused');
  assert.ok(!without.calls.includes('mark'));
});

test('a voucher that the controller deleted needs no further question', async () => {
  const { failure, calls } = await revoke({ controllerVoucherId: 'v9', expected: ['v1'] });
  assert.deepEqual([failure, calls], [undefined, ['delete v9', 'mark']]);
});

test('an absent voucher is recorded as revoked if the controller has another voucher that it should have', async () => {
  const absent = { controllerVoucherId: 'v9', deletion: ok('absent' as const) };
  const ours = await revoke({ ...absent, expected: ['v9', 'v1', 'v2'], has: ok(['v2']) });
  assert.deepEqual([ours.failure, ours.calls], [undefined, ['delete v9', 'any of v1,v2', 'mark']]);
  const lonely = await revoke({ ...absent, expected: ['v9'] });
  assert.deepEqual([lonely.failure, lonely.calls], [undefined, ['delete v9', 'mark']]);
});

test('a guest who used one of our vouchers shows that the controller is ours', async () => {
  const absent = { controllerVoucherId: 'v9', deletion: ok('absent' as const), expected: ['v1', 'v2'] };
  const used = await revoke({ ...absent, used: ['v2'] });
  assert.deepEqual([used.failure, used.calls], [undefined, ['delete v9', 'any of v1,v2', 'mark']]);
});

test('an absent voucher is not recorded as revoked if the controller has none of our vouchers', async () => {
  const absent = { controllerVoucherId: 'v9', deletion: ok('absent' as const), expected: ['v1', 'v2'] };
  const other = await revoke({ ...absent, has: ok(['of others']) });
  assert.deepEqual([other.failure, other.calls], [OTHER_CONSOLE, ['delete v9', 'any of v1,v2']]);
  const silent = await revoke({ ...absent, has: fail(AWAY) });
  assert.deepEqual([silent.failure, silent.calls], [AWAY, ['delete v9', 'any of v1,v2']]);
});

test('a voucher that no list has is not recorded as revoked if the list is empty or of another controller', async () => {
  const nothing = await revoke({ lists: [[]] });
  assert.match(nothing.failure?.text ?? '', /lists no vouchers at all/);
  assert.deepEqual(nothing.calls, ['list', 'list']);
  const emptied = await revoke({ lists: [[listed('v1', '1111111111')], []] });
  assert.deepEqual(emptied.calls, ['list', 'list']);
  const other = await revoke({ lists: [[listed('x', '1111111111')]], expected: ['v1'], has: ok(['x']) });
  assert.deepEqual([other.failure, other.calls], [OTHER_CONSOLE, ['list', 'list', 'any of v1']]);
});

test('vouchers that are revoked together are not expected on the controller', async () => {
  const onController = new Set(['v1', 'v2', 'v3']);
  const marked: string[] = [];
  const revokeVoucher = makeRevokeVoucher({
    noteFailedOrder: async () => {},
    failedOrders: { forget: async () => {} },
    sites: { find: async () => site },
    revocations: { markRevoked: async (voucher) => marked.push(voucher.code) > 0 },
    controllerOf: () => ({
      forEachVoucherChunk: async () => assert.fail('not needed'),
      async deleteVoucher(id) {
        onController.delete(id);
        return ok('absent');
      },
      listsAny: async (ids) => ok(ids.some((id) => onController.has(id))),
      findUses: async () => ok(new Map()),
    }),
    usage: { sampleExpected: async () => ['v1', 'v2', 'v3'] },
    timeout: () => new AbortController().signal,
  });
  const vouchers = [...onController].map((id, index) => ({
    ...{ id: asVoucherId(index), siteId },
    ...{ controllerVoucherId: id, code: id },
  }));
  const by = { actor: serviceActor('Clean-up'), atMs: 0 };
  const failures = await Promise.all(vouchers.map((voucher) => revokeVoucher(voucher, by)));
  assert.deepEqual(failures, [undefined, undefined, undefined]);
  assert.deepEqual(marked, ['v1', 'v2', 'v3']);
});
