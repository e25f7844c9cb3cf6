// Tests deletions on a classic controller whose ids do not contain the second of their creation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ok } from '../../../platform/values/result.ts';
import type { UpstreamVoucher } from '../controller.ts';
import { makeClassicDeletion } from './deletion.ts';

const signal = new AbortController().signal;
const voucher = (controllerVoucherId: string): UpstreamVoucher => ({
  ...{ controllerVoucherId, code: '0482715936', name: 'Gast', maxUses: 1, usedCount: 0, expireMinutes: 60 },
  ...{ downKbps: 0, upKbps: 0, quotaMb: 0, createdAtMs: 0, firstUsedAtMs: null },
});

/** A controller with these vouchers. It lists all of them whatever second it is asked for. */
function controllerWith(...ids: string[]) {
  const kept = new Set(ids);
  return makeClassicDeletion({
    sendDeletion: async (id) => void kept.delete(id),
    readVouchers: async (_second, onChunk) => void (await onChunk([...kept].map(voucher))),
  });
}

test('a voucher that was listed and then no longer is was deleted, among others or as the last one', async () => {
  assert.deepEqual(await controllerWith('v1', 'v2').deleteVoucher('v1', signal), ok('deleted'));
  assert.deepEqual(await controllerWith('v1').deleteVoucher('v1', signal), ok('absent'));
});

test('a voucher that was never listed is absent, unless the controller lists nothing at all', async () => {
  assert.deepEqual(await controllerWith('v2').deleteVoucher('v1', signal), ok('absent'));
  const nothing = await controllerWith().deleteVoucher('v1', signal);
  assert.ok(!nothing.ok && nothing.problem.kind === 'outcome-unknown');
});
