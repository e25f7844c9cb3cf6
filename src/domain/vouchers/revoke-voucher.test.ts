// Tests how a voucher without the controller's id is revoked: it is looked up by its code, and it is recorded as revoked
// only if the controller no longer has it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceActor } from '../audit/actor.ts';
import type { ControllerFailure, UpstreamVoucher } from '../controller.ts';
import { asSiteId, asVoucherId } from '../ids.ts';
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
  controllerKind: 'memory',
  controllerSite: 'default',
  access: null,
  importsForeign: false,
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
  undeletable?: ControllerFailure;
}

async function revoke({ controllerVoucherId = null, lists = [], unreadable, undeletable }: Told) {
  const calls: string[] = [];
  let reads = 0;
  const revokeVoucher = makeRevokeVoucher({
    sites: { find: async () => site },
    revocations: { markRevoked: async () => calls.push('mark') > 0 },
    controllerOf: () => ({
      async forEachVoucherPage(onPage) {
        calls.push('list');
        for (const voucher of lists[Math.min(reads++, lists.length - 1)] ?? []) await onPage([voucher]);
        return unreadable;
      },
      async deleteVoucher(id) {
        calls.push(`delete ${id}`);
        return undeletable;
      },
    }),
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
  const undeleted = await revoke({ lists: [list], undeletable: AWAY });
  assert.deepEqual([undeleted.failure, undeleted.calls], [AWAY, ['list', 'delete v3']]);
  const without = await revoke({ lists: [[listed(null, CODE)]] });
  assert.equal(without.failure?.kind, 'refused');
  assert.ok(!without.calls.includes('mark'));
});
