// Tests messages that are written with an order, on every engine: they are sent after the voucher is recorded, by
// whichever instance, and never if the order is abandoned.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { makeStockStore } from '../../src/features/reserve/stock-store.ts';
import { screenPurpose } from '../../src/features/screens/place-queries.ts';
import { makeScreenStore } from '../../src/features/screens/screen-store.ts';
import type { SiteId } from '../../src/kernel/ids.ts';
import type { ChannelRules } from '../../src/kernel/messages/message.ts';
import { openPayload } from '../../src/kernel/messages/message-queries.ts';
import { makeMessageQueue } from '../../src/kernel/messages/message-store.ts';
import { makeVoucherStore } from '../../src/kernel/vouchers/storage/voucher-store.ts';
import type { Intent, VoucherStore } from '../../src/kernel/vouchers/voucher-records.ts';
import { holdSetting } from '../../src/platform/database/installation-queries.ts';
import { checkSecret } from '../../src/platform/secrets/secret-check.ts';
import { TESTER } from '../support/actors.ts';
import { onEveryEngine } from './engines.ts';
import {
  addSite,
  delivered,
  goodAttempt,
  sampleIntent,
  sampleScreen,
  sampleUpstream,
  seal,
} from './samples.ts';
import { untilOneWaits } from './until-one-waits.ts';

const MAIL: ChannelRules = { name: 'mail', kinds: ['voucher'], keepsSequence: false };
const messages = [
  {
    channel: 'mail',
    recipientId: 1,
    eventId: 'm',
    kind: 'voucher',
    payload: { language: 'de' },
    sealedPayload: { address: 'guest@example.org' },
    orderedBy: 'key k',
    occurredAtMs: 1,
  },
];

const again = messages.map((message) => ({ ...message, eventId: 'n' }));

onEveryEngine('messages of an order', (database) => {
  let vouchers: VoucherStore;
  let site: SiteId;
  beforeEach(async () => {
    vouchers = makeVoucherStore(database(), seal, [screenPurpose]);
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
  const next = () => makeMessageQueue(database(), seal).next(MAIL, 1);
  const voucherId = async () =>
    (await database().read.selectFrom('vouchers').select('id').executeTakeFirstOrThrow()).id;

  test('a message waits for its voucher, and then is sent for it', async () => {
    const intent = await order();
    assert.deepEqual([(await rows())[0]?.state, await next()], ['held', undefined]);
    await vouchers.record([intent], [sampleUpstream('u-1')]);
    assert.partialDeepStrictEqual(await next(), {
      payload: { language: 'de' },
      sealedPayload: { address: 'guest@example.org' },
      state: 'waiting',
      voucherId: await voucherId(),
    });
    assert.deepEqual(await vouchers.listIntents(), []);
  });

  test('messages are sealed before the row of a screen is locked, as rekey does', async () => {
    await checkSecret(database(), seal);
    const screens = makeScreenStore(database(), seal);
    const audit = { actor: TESTER, atMs: 1 };
    const { id: screenId } = await screens.add(
      sampleScreen(site),
      { pairingHash: 'code', token: null },
      audit,
    );
    const limits = { max_uses: 1, expire_minutes: 480, down_kbps: 0, up_kbps: 0, quota_mb: 0 };
    const stock = { site_id: site, state: 'ready', name: 'x', code: '1234567890', made_at_ms: 1, ...limits };
    await database().write((transaction) => transaction.insertInto('stock').values(stock).execute());
    const order = { siteId: site, screenId, actor: TESTER, name: 'x', storedName: 'x', messages };
    const purpose = { kind: 'screen', screenId } as const;
    const works = [
      () => vouchers.begin(sampleIntent(site, { messages, purpose })),
      () => makeStockStore(database(), seal, () => {}).handOut({ ...order, messages: again }),
    ];
    for (const work of works) {
      const [held, met] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const rekeying = database().write(async (transaction) => {
        await holdSetting(transaction, 'secret_check');
        held.resolve();
        await met.promise;
        const free = transaction.selectFrom('screens').select('id').where('id', '=', screenId);
        return free.modifyEnd(database().freeRows()).executeTakeFirst();
      });
      await held.promise;
      const working = work();
      await untilOneWaits(database());
      met.resolve();
      assert.equal((await rekeying)?.id, screenId, 'the screen is not locked yet');
      await working;
    }
    assert.equal((await rows()).length, 2);
  });

  test('another instance that recovers the voucher releases its message', async () => {
    await order();
    const intents = await makeVoucherStore(database(), seal).listIntents(site);
    await makeVoucherStore(database(), seal).recover(intents, [sampleUpstream('u-1')]);
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
    assert.deepEqual(new Set((await rows()).map(({ recipient_id }) => recipient_id)), new Set([1]));
    for (const row of await rows()) assert.deepEqual(openPayload(seal, row), messages[0]?.sealedPayload);
  });

  test('the messages of vouchers ordered at once are spread over the lanes of their channel', async () => {
    const inLanes = messages.map((message) => ({ ...message, recipientId: 2, lanes: 3 }));
    await vouchers.begin(sampleIntent(site, { messages: inLanes }), { count: 4 });
    const lanes = (await rows()).map(({ event_id, recipient_id }) => [event_id, recipient_id]);
    assert.deepEqual(Object.fromEntries(lanes), { m: 2, 'm-2': 3, 'm-3': 1, 'm-4': 2 });
  });

  test('an order may have messages of several channels, and each voucher gets all of them', async () => {
    const job = {
      channel: 'printer',
      recipientId: 7,
      eventId: 'p',
      kind: 'slip',
      payload: {},
      occurredAtMs: 1,
    };
    const ordered = sampleIntent(site, { messages: [...messages, job] });
    const [kept, given] = [
      await vouchers.begin(ordered, { count: 2 }),
      await vouchers.begin({ ...ordered, messages: [{ ...job, eventId: 'q' }] }),
    ];
    assert.ok(kept.ok && given.ok);
    await vouchers.abandon(given.value);
    await vouchers.record(kept.value, [sampleUpstream('u-1'), sampleUpstream('u-2')]);
    const written = await rows();
    assert.deepEqual(written.map(({ event_id }) => event_id).toSorted(), ['m', 'm-2', 'p', 'p-2']);
    for (const [, ofVoucher] of Map.groupBy(written, ({ voucher_id }) => voucher_id))
      assert.deepEqual(ofVoucher.map(({ channel, state }) => `${channel} ${state}`).toSorted(), [
        'mail waiting',
        'printer waiting',
      ]);
  });

  test('sealed facts are not readable in the database, and a message with facts of another one is not lost', async () => {
    await vouchers.record([await order()], [sampleUpstream('u-1')]);
    const [row] = await rows();
    assert.ok(!JSON.stringify(row).includes('guest@'));
    assert.equal(row?.ordered_by, 'key k');
    await database().write((transaction) =>
      transaction.updateTable('messages').set({ event_id: 'other' }).execute(),
    );
    assert.partialDeepStrictEqual(await next(), { eventId: 'other', sealedPayload: undefined });
  });

  test('age neither ends nor deletes the message of a voucher', async () => {
    await vouchers.record([await order()], [sampleUpstream('u-1')]);
    const queue = makeMessageQueue(database(), seal);
    const later = Date.now() + 800 * 24 * 60 * 60_000;
    await queue.giveUpWaiting(MAIL, later);
    const message = await next();
    assert.ok(message);
    await queue.confirm(MAIL, message, goodAttempt, delivered);
    await queue.forgetFinished(later);
    assert.deepEqual(
      (await rows()).map(({ state }) => state),
      ['done'],
    );
  });

  test('an order without messages holds none', async () => {
    const begun = await vouchers.begin(sampleIntent(site, { messages: [] }));
    assert.ok(begun.ok && begun.value[0]);
    assert.equal(begun.value[0].holdsMessages, undefined);
    const [open] = await vouchers.listIntents(site);
    assert.equal(open?.holdsMessages, undefined);
  });
});
