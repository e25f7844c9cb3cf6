// Tests messages that are written with an order, on every engine: they are sent after the voucher is recorded, by
// whichever instance, and never if the order is abandoned.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { SiteId } from '../../src/domain/ids.ts';
import type { ChannelRules } from '../../src/domain/messages/message.ts';
import type { Intent, VoucherStore } from '../../src/domain/vouchers/voucher-store.ts';
import { makeMessageQueue } from '../../src/storage/messages/store.ts';
import { makeVoucherStore } from '../../src/storage/vouchers/store.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, sampleIntent, sampleUpstream } from './samples.ts';

const MAIL: ChannelRules = { name: 'mail', kinds: ['voucher'], keepsSequence: false };
const messages = [
  { channel: 'mail', recipientId: 1, eventId: 'm', kind: 'voucher', payload: { to: 'x' }, occurredAtMs: 1 },
];

onEveryEngine('messages of an order', (database) => {
  let vouchers: VoucherStore;
  let site: SiteId;
  beforeEach(async () => {
    vouchers = makeVoucherStore(database());
    await database().write(async (transaction) => {
      for (const table of ['messages', 'intents', 'vouchers'] as const)
        await transaction.deleteFrom(table).execute();
    });
    site = await addSite(database());
  });

  async function order(): Promise<Intent> {
    const begun = await vouchers.begin(sampleIntent(site, { messages }));
    assert.ok(begun.ok && begun.value[0]);
    return begun.value[0];
  }
  const rows = () => database().read.selectFrom('messages').selectAll().execute();
  const next = () => makeMessageQueue(database()).next(MAIL, 1);
  const voucherId = async () =>
    (await database().read.selectFrom('vouchers').select('id').executeTakeFirstOrThrow()).id;

  test('a message waits for its voucher, and then is sent for it', async () => {
    const intent = await order();
    assert.deepEqual([(await rows())[0]?.state, await next()], ['held', undefined]);
    await vouchers.record([intent], [sampleUpstream('u-1')]);
    assert.partialDeepStrictEqual(await next(), {
      payload: { to: 'x' },
      state: 'waiting',
      voucherId: await voucherId(),
    });
    assert.deepEqual(await vouchers.listIntents(), []);
  });

  test('another instance that recovers the voucher releases its message', async () => {
    await order();
    const intents = await makeVoucherStore(database()).listIntents(site);
    await makeVoucherStore(database()).recover(intents, [sampleUpstream('u-1')]);
    assert.equal((await next())?.voucherId, await voucherId());
  });

  test('the messages of an abandoned order are deleted', async () => {
    assert.equal(await vouchers.abandon([await order()]), true);
    assert.deepEqual(await rows(), []);
  });

  test('the messages of a recorded voucher are deleted with the voucher', async () => {
    await vouchers.record([await order()], [sampleUpstream('u-1')]);
    await database().write((transaction) => transaction.deleteFrom('vouchers').execute());
    assert.deepEqual(await rows(), []);
  });

  test('of several vouchers ordered at once, each has messages of its own', async () => {
    await vouchers.begin(sampleIntent(site, { messages }), { count: 3 });
    assert.deepEqual((await rows()).map(({ event_id }) => event_id).toSorted(), ['m', 'm-2', 'm-3']);
  });

  test('an order without messages holds none', async () => {
    const begun = await vouchers.begin(sampleIntent(site, { messages: [] }));
    assert.ok(begun.ok && begun.value[0]);
    assert.equal(begun.value[0].holdsMessages, undefined);
    const [open] = await vouchers.listIntents(site);
    assert.equal(open?.holdsMessages, undefined);
  });
});
