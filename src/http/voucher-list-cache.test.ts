// Tests that a cached list is never newer by its version than by its content.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asSiteId } from '../domain/ids.ts';
import { LIST_SIZE } from '../domain/vouchers/list-vouchers.ts';
import { makeVoucherListCache } from './voucher-list-cache.ts';

const site = asSiteId(1);

test('the version is read before the vouchers, so that a change in between is detected', async () => {
  let version = 1;
  let reads = 0;
  const listResponse = makeVoucherListCache({
    vouchers: {
      listVersion: async () => version,
      async listNewest(_site, limit) {
        assert.equal(limit, LIST_SIZE);
        if (++reads === 1) version++;
        return [];
      },
    },
    clock: { nowMs: () => 0 },
  });
  for (const expected of [1, 2, 2]) {
    await listResponse(site);
    assert.equal(reads, expected);
  }
  await listResponse(site, { version: 3 });
  assert.equal(reads, 3, 'a version that was read with the key counts as well');
});
