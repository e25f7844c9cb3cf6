// Tests the store for mails on every engine: the log with masked addresses, sending again, the failures that nobody has
// read, and the limits per hour.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { MAIL_CHANNEL, type MailStore } from '../../src/features/mail/mail.ts';
import { makeMailRecipients } from '../../src/features/mail/mail-recipient-queries.ts';
import { makeMailStore } from '../../src/features/mail/mail-store.ts';
import { asMessageId, asSiteId, asVoucherId, type SiteId, type VoucherId } from '../../src/kernel/ids.ts';
import type { MessageQueue, Verdict } from '../../src/kernel/messages/message.ts';
import { makeMessageQueue } from '../../src/kernel/messages/message-store.ts';
import { makeOrderCounts } from '../../src/kernel/messages/order-count-queries.ts';
import { makeVoucherStore } from '../../src/kernel/vouchers/storage/voucher-store.ts';
import { TESTER } from '../support/actors.ts';
import { onEveryEngine } from './engines.ts';
import {
  addSite,
  badAttempt,
  delivered,
  failedFor,
  givenUp,
  goodAttempt,
  NOW_MS,
  sampleIntent,
  sampleUpstream,
  seal,
} from './samples.ts';

const HOUR_MS = 60 * 60_000;
const audit = { actor: TESTER, atMs: NOW_MS };

const sampleMail = (eventId: string, address = 'anna@example.org') => ({
  recipientId: 1,
  eventId,
  kind: 'voucher',
  payload: { domain: 'hotel.example', language: 'en' },
  sealedPayload: { address },
  orderedBy: 'key k',
  occurredAtMs: NOW_MS,
});

onEveryEngine('the store for mails', (database) => {
  let mails: MailStore;
  let queue: MessageQueue;
  let site: SiteId;
  let vouchers: VoucherId[];

  beforeEach(async () => {
    mails = makeMailStore(database(), seal);
    queue = makeMessageQueue(database(), seal, { mail: makeMailRecipients(database()) });
    await database().write(async (transaction) => {
      for (const table of [
        'messages',
        'message_recipients',
        'mail_slots',
        'intents',
        'vouchers',
        'audit',
        'sites',
      ] as const)
        await transaction.deleteFrom(table).execute();
    });
    site = await addSite(database());
    vouchers = [];
    for (const id of ['u-1', 'u-2']) {
      const store = makeVoucherStore(database(), seal);
      const begun = await store.begin(sampleIntent(site));
      assert.ok(begun.ok);
      const { created } = await store.record(begun.value, [sampleUpstream(id, { code: `${id}2345678` })]);
      vouchers.push(created[0]?.id ?? assert.fail('no voucher'));
    }
  });

  const voucher = (index = 0) => vouchers[index] ?? assert.fail(`no voucher ${index}`);
  async function attempt(verdict: Verdict): Promise<void> {
    const message = (await queue.next(MAIL_CHANNEL, 1)) ?? assert.fail('no mail is due');
    await queue.confirm(MAIL_CHANNEL, message, verdict.failed ? badAttempt : goodAttempt, verdict);
  }
  const auditOf = async () =>
    (await database().read.selectFrom('audit').selectAll().orderBy('id').execute())
      .filter(({ action }) => action.startsWith('voucher.mail'))
      .map(({ action, subject }) => `${action} ${subject}`);

  test('a mail is logged with its voucher, site, state and masked address', async () => {
    const id = await mails.add({ ...sampleMail('e'), voucherId: voucher() }, audit);
    const [logged, ...others] = await mails.search({ limit: 9 });
    assert.deepEqual(others, []);
    assert.deepEqual(logged, {
      id,
      kind: 'voucher',
      voucherId: voucher(),
      siteId: site,
      state: 'waiting',
      attempts: 0,
      lastError: null,
      messageId: '<e@hotel.example>',
      maskedAddress: 'a…@example.org',
      language: 'en',
      createdAtMs: NOW_MS,
      sentAtMs: null,
      nextAttemptAtMs: null,
      isUnread: false,
    });
    assert.equal(await mails.findAddress(id), 'anna@example.org');
    assert.equal(await mails.findAddress(asMessageId(id + 1)), undefined);
    assert.deepEqual(await auditOf(), [
      `voucher.mailed voucher ${voucher()} of site ${site} (Haus A): a…@example.org`,
    ]);

    await attempt({ ...failedFor(HOUR_MS), pauses: 'message' });
    const [paused] = await mails.search({ limit: 1, states: ['waiting'] });
    assert.partialDeepStrictEqual(paused, { attempts: 1, lastError: 'answered 500' });
    assert.ok((paused?.nextAttemptAtMs ?? 0) > Date.now());
    assert.equal(await mails.retry(id, audit), true);
    await attempt(delivered);
    const [sent] = await mails.search({ limit: 1, id });
    assert.partialDeepStrictEqual(sent, { state: 'sent', lastError: null, nextAttemptAtMs: null });
    assert.ok(sent?.sentAtMs);
    assert.equal(await mails.retry(id, audit), false);
    assert.deepEqual(
      (await mails.listAttempts(id)).map(({ error }) => error),
      ['answered 500', null],
    );
  });

  test('mails are searched by site, voucher, state and page', async () => {
    for (const [index, eventId] of ['a', 'b', 'c', 'd'].entries())
      await mails.add({ ...sampleMail(eventId), voucherId: voucher(index % 2) }, audit);
    await attempt(delivered);
    await attempt({ ...delivered, state: 'cancelled', pauses: 'message' });
    const eventsOf = async (search: Partial<Parameters<MailStore['search']>[0]>) =>
      (await mails.search({ limit: 9, ...search })).map(({ messageId }) => messageId.at(1)).join('');
    assert.equal(await eventsOf({}), 'dcba');
    assert.equal(await eventsOf({ limit: 2 }), 'dc');
    const [, , second] = await mails.search({ limit: 9 });
    assert.equal(await eventsOf({ beforeId: second?.id ?? assert.fail('no mail') }), 'a');
    assert.equal(await eventsOf({ voucherId: voucher(1) }), 'db');
    assert.equal(await eventsOf({ states: ['sent', 'cancelled'] }), 'ba');
    assert.equal(await eventsOf({ siteIds: [site] }), 'dcba');
    assert.equal(await eventsOf({ siteIds: [asSiteId(site + 1)] }), '');

    const newest = await mails.newestOf([voucher(0), voucher(1), asVoucherId(voucher(1) + 1)]);
    assert.deepEqual([...newest.values()].map(({ messageId }) => messageId.at(1)).toSorted(), ['c', 'd']);
    assert.deepEqual(await mails.newestOf([]), new Map());
  });

  test('a mail that waits for its voucher is logged with its site', async () => {
    const messages = [{ ...sampleMail('held'), channel: 'mail' }];
    await makeVoucherStore(database(), seal).begin(sampleIntent(site, { messages }));
    const [held] = await mails.search({ limit: 9, siteIds: [site] });
    assert.partialDeepStrictEqual(held, { state: 'held', siteId: site, voucherId: null });
    assert.equal(await mails.retry(held?.id ?? assert.fail('no mail'), audit), false);
  });

  test('a failed mail is unread until somebody reads it or sends it again', async () => {
    const id = await mails.add({ ...sampleMail('e'), voucherId: voucher() }, audit);
    assert.equal(await mails.countUnread([site]), 0);
    await attempt({ ...givenUp, pauses: 'message' });
    assert.deepEqual([await mails.countUnread([site]), await mails.countUnread([])], [1, 0]);
    assert.partialDeepStrictEqual(await mails.search({ limit: 9, isUnread: true, siteIds: [site] }), [
      { id, isUnread: true, state: 'failed' },
    ]);
    await mails.markRead([id], NOW_MS);
    assert.equal(await mails.countUnread([site]), 0);
    assert.partialDeepStrictEqual(await mails.search({ limit: 9 }), [{ isUnread: false, state: 'failed' }]);
    assert.equal(await mails.retry(id, audit), true);
    assert.partialDeepStrictEqual(await queue.next(MAIL_CHANNEL, 1), { attempts: 0 });
    await attempt({ ...givenUp, pauses: 'message' });
    assert.equal(await mails.countUnread([site]), 1);
    assert.deepEqual((await auditOf()).map((entry) => entry.split(' ')[0]).slice(1), ['voucher.mail-resent']);
  });

  test('what one user or key has ordered is counted, without times of a wrong clock', async () => {
    for (const [eventId, occurredAtMs] of [
      ['a', NOW_MS - 2 * HOUR_MS],
      ['b', NOW_MS - 60_000],
      ['c', NOW_MS],
      ['d', NOW_MS + 800 * 24 * HOUR_MS],
    ] as const)
      await mails.add({ ...sampleMail(eventId), occurredAtMs, voucherId: voucher() }, audit);
    const since = NOW_MS - HOUR_MS;
    const counts = makeOrderCounts(database().read);
    assert.deepEqual(
      [await counts.countOrdered('key k', since), await counts.countOrdered('key other', since)],
      [2, 0],
    );
    const times = [0, 1, 2].map((index) => counts.findOrderedAt('key k', since, index));
    assert.deepEqual(await Promise.all(times), [NOW_MS - 60_000, NOW_MS, undefined]);
  });

  test('instances together never take more slots than there are in an hour', async () => {
    const waits = await Promise.all(Array.from({ length: 20 }, () => mails.takeSlot(7)));
    assert.equal(waits.filter((waitMs) => waitMs === 0).length, 7);
    for (const waitMs of waits) assert.ok(waitMs <= HOUR_MS && waitMs >= 0);
    assert.ok((await mails.takeSlot(3)) > 0, 'a lower number counts for mails that were sent before');
    await database().write((transaction) =>
      transaction
        .updateTable('mail_slots')
        .set({ at_ms: Date.now() + 800 * 24 * HOUR_MS })
        .execute(),
    );
    assert.equal(await mails.takeSlot(1), 0, 'the clock was set back');
  });

  test('the state of the server has its last failure, and ends with the pause', async () => {
    const none = { failures: 0, dueAtMs: 0, lastError: null };
    assert.deepEqual(await mails.readServerState(), none);
    const id = await mails.add({ ...sampleMail('e'), voucherId: voucher() }, audit);
    await attempt({ ...failedFor(HOUR_MS), isCounted: false });
    assert.partialDeepStrictEqual(await mails.readServerState(), { failures: 1, lastError: 'answered 500' });
    assert.equal(await queue.next(MAIL_CHANNEL, 1), undefined);
    await mails.retry(id, audit);
    assert.partialDeepStrictEqual(await queue.next(MAIL_CHANNEL, 1), { failures: 1 });
    await mails.endPause();
    assert.deepEqual(await mails.readServerState(), none);
  });
});
