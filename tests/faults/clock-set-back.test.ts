// The clock is set back while something waits: an hour (a hardware clock in local time), a day, or almost two days (a
// restored machine). Notifications, failed mails and the keys of lost orders go on within their usual pauses.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { WEBHOOK_CHANNEL } from '../../src/features/webhooks/delivery.ts';
import { asVoucherId } from '../../src/kernel/ids.ts';
import { makeSyncUseCases } from '../../src/kernel/vouchers/sync-use-cases.ts';
import { TESTER } from '../support/actors.ts';
import { startMailServer, type TestMailServer } from '../support/mail/mail-server.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { until } from '../support/until.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

const HOUR_MS = 60 * 60_000;
const SETTLED_AFTER_MS = 80_000;
const setBackBy = [1, 24, 47];

let service: TestService;
let receiver: Receiver;
let mailServer: TestMailServer;
before(async () => {
  receiver = await startReceiver();
  mailServer = await startMailServer();
  service = await startTestService({ pace: 1 });
  const audit = { actor: TESTER, atMs: service.clock.nowMs() };
  const webhook = { url: receiver.url, format: 'generic', platform: null, secrets: null } as const;
  await service.beside.webhooks.add(webhook, audit);
  await service.beside.mailServer.save({ ...mailServer.settings, perHour: null }, audit);
});
after(async () => {
  await service.stop();
  await receiver.stop();
  await mailServer.stop();
});
beforeEach(() => {
  receiver.requests.length = 0;
  mailServer.mails.length = 0;
});

const create = (name: string, site = 1, headers = {}) =>
  service.call('POST', 'vouchers.php', { body: { site_id: site, name }, headers });
const attempts = (channel: string) =>
  Number(
    service.rows(
      `select count(*) as count from message_attempts where message_id in (select id from messages where channel = '${channel}')`,
    )[0]?.count,
  );

for (const hours of setBackBy)
  describe(`a clock that is set back by ${hours} h`, () => {
    test('delays neither a failed notification nor the pause after its next failure', async () => {
      const before = attempts('webhook');
      receiver.respondWith({ status: 500 });
      await create('Zimmer 1');
      await until(() => attempts('webhook') === before + 1);
      service.clock.advance(-hours * HOUR_MS);
      await until(() => attempts('webhook') === before + 2);
      receiver.respondWith({});
      assert.deepEqual(await service.beside.messages.listDue(WEBHOOK_CHANNEL), [], 'the next pause counts');
      service.clock.advance(34_000);
      await receiver.untilReceived(3);
    });

    test('delays no mail, whether its recipient or the whole server failed', async () => {
      await create('Zimmer 2');
      const [voucher] = service.rows('select max(id) as id from vouchers');
      for (const failing of ['recipient', 'connect'] as const) {
        mailServer.mails.length = 0;
        const before = attempts('mail');
        mailServer.setFault((step) => (step === failing ? '421 4.3.2 Try later' : undefined));
        await service.beside.mails.add(
          {
            voucherId: asVoucherId(Number(voucher?.id)),
            recipientId: 1,
            eventId: randomUUID(),
            kind: 'voucher',
            payload: { domain: 'hotel.example', language: 'de' },
            sealedPayload: { address: 'gast@hotel.example' },
            occurredAtMs: service.clock.nowMs(),
          },
          { actor: TESTER, atMs: service.clock.nowMs() },
        );
        await until(() => attempts('mail') === before + 1);
        mailServer.setFault(undefined);
        service.clock.advance(-hours * HOUR_MS);
        await until(() => mailServer.mails.length === 1);
      }
    });

    test('frees the Idempotency-Key of a lost order after the usual time', async () => {
      const site = await service.addSite('fail:time-out');
      const headers = { 'idempotency-key': `lost-${hours}` };
      assert.equal((await create('lost', site, headers)).status, 500);
      let monotonicMs = 0;
      const { settleIntents } = makeSyncUseCases(service.beside, { monotonicMs: () => monotonicMs });
      const settle = () => settleIntents(new AbortController().signal);
      await settle();
      service.clock.advance(-hours * HOUR_MS);
      assert.equal((await create('lost', site, headers)).status, 409);
      monotonicMs = SETTLED_AFTER_MS - 1;
      assert.partialDeepStrictEqual(await settle(), { forgotten: 0, open: 1 });
      monotonicMs = SETTLED_AFTER_MS;
      // The service may just hold the lease of the site.
      await until(async () => (await settle()).open === 0);
      const kept = `select * from idempotent_answers where idempotency_key = 'lost-${hours}'`;
      assert.deepEqual(service.rows(kept), []);
    });
  });
