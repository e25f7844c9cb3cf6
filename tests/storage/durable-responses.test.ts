// Tests that a stored response is not repeated while a power cut could still undo the record of its voucher.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeVoucherStore } from '../../src/kernel/vouchers/storage/voucher-store.ts';
import { onEveryEngine } from './engines.ts';
import { addKey, addSite, sampleIntent, sampleTicket, sampleUpstream, seal } from './samples.ts';

onEveryEngine('repeated responses', (database) => {
  test('a stored response is repeated only once it is on the disk', async () => {
    const store = makeVoucherStore(database(), seal);
    await addKey(database(), 'keyAAAAA');
    const ticket = sampleTicket('t');
    const opened = await store.begin(sampleIntent(await addSite(database())), { ticket });
    assert.ok(opened.ok);
    await store.record(opened.value, [sampleUpstream('id-1')]);
    const synced = Promise.withResolvers<void>();
    const slow = makeVoucherStore({ ...database(), untilDurable: () => synced.promise }, seal);
    let isFound = false;
    const finding = slow.findResponse(ticket, Date.now()).then((response) => {
      isFound = true;
      return response;
    });
    await store.findResponse(ticket, Date.now());
    assert.equal(isFound, false);
    synced.resolve();
    assert.ok((await finding)?.ok);
  });
});
