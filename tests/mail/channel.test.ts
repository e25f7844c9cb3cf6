// Tests how the service sends mails to a real mail server: what arrives, whom a failure concerns, and what is never
// sent.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggedMail } from '../../src/features/mail/mail.ts';
import { asSiteId, asVoucherId, type MessageId } from '../../src/kernel/ids.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { TESTER } from '../support/actors.ts';
import { startMailServer, type TestMailServer } from '../support/mail/mail-server.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { until } from '../support/until.ts';

const soon = { timeout: 30_000 };

let service: TestService;
let server: TestMailServer;
let aheadMs = 0;
before(async () => {
  server = await startMailServer();
  // Pauses end by themselves only with a clock that moves.
  const nowMs = () => systemClock.nowMs() + aheadMs;
  const clock = { ...systemClock, nowMs, advance: () => assert.fail('this clock moves by itself') };
  service = await startTestService({ pace: 0.05, clock });
});
beforeEach(() => {
  server.mails.length = 0;
  server.setFault(undefined);
});
after(async () => {
  await service.stop();
  await server.stop();
});

const audit = () => ({ actor: TESTER, atMs: service.clock.nowMs() });
const saveServer = (perHour: number | null = null) =>
  service.beside.mailServer.save({ ...server.settings, perHour }, audit());
/** Whom the mails were for that have arrived. */
const recipients = () => server.mails.map(({ envelope }) => envelope.to.join()).toSorted();

async function addVoucher() {
  const { id, code } = await service.client.createVoucher({ site: 1, name: 'Zimmer 4' });
  return { id: asVoucherId(Number(id)), code: code.replaceAll('-', '') };
}

async function addMail(voucher: { id: number }, address: string, lane = 1): Promise<MessageId> {
  return service.beside.mails.add(
    {
      voucherId: asVoucherId(voucher.id),
      recipientId: lane,
      eventId: randomUUID(),
      kind: 'voucher',
      payload: { domain: 'hotel.example', language: 'de' },
      sealedPayload: { address },
      occurredAtMs: service.clock.nowMs(),
    },
    audit(),
  );
}

async function untilMail(id: MessageId, holds: (mail: LoggedMail) => boolean): Promise<LoggedMail> {
  let found: LoggedMail | undefined;
  await until(async () => {
    [found] = await service.beside.mails.search({ id, limit: 1 });
    return found && holds(found);
  });
  return found ?? assert.fail();
}
const hasState = (state: string) => (mail: LoggedMail) => mail.state === state;

test('a mail waits until e-mail is set up, and brings the code', soon, async () => {
  await service.beside.sites.change(asSiteId(1), { replyTo: 'desk@hotel.example' }, audit());
  const voucher = await addVoucher();
  const id = await addMail(voucher, 'anna@example.org');
  await sleep(100);
  assert.partialDeepStrictEqual(await untilMail(id, () => true), { state: 'waiting', attempts: 0 });
  await saveServer();
  const { messageId } = await untilMail(id, hasState('sent'));
  assert.deepEqual(recipients(), ['anna@example.org']);
  const mail = await server.mails[0]?.parse();
  assert.equal(mail?.messageId, messageId);
  assert.deepEqual(
    mail?.replyTo?.map(({ address }) => address),
    ['desk@hotel.example'],
  );
  assert.ok(mail?.text?.replaceAll('-', '').includes(voucher.code));
  const stored = JSON.stringify([
    await service.rows('select * from messages'),
    await service.rows('select * from message_attempts'),
    service.logLines,
  ]);
  assert.ok(!stored.replaceAll('-', '').includes(voucher.code), 'the code is stored with the voucher only');
  assert.ok(!stored.includes('anna@'));
});

test('a refused guest concerns one mail: for good, or for a while', soon, async () => {
  const voucher = await addVoucher();
  server.setFault((step, { recipient }) => {
    if (step !== 'recipient') return undefined;
    if (recipient === 'gone@example.org') return `550 5.1.1 No such user for ${voucher.code}`;
    return recipient === 'later@example.org' ? '451 4.7.1 Greylisted' : undefined;
  });
  const gone = await addMail(voucher, 'gone@example.org');
  const later = await addMail(voucher, 'later@example.org');
  const good = await addMail(voucher, 'good@example.org');
  const refused = await untilMail(gone, hasState('failed'));
  assert.partialDeepStrictEqual(refused, { attempts: 1, isUnread: true });
  assert.match(refused.lastError ?? '', /No such user for \*+$/, 'the code is not stored with the mail');
  const { lastError } = await untilMail(later, ({ attempts }) => attempts > 0);
  assert.match(lastError ?? '', /Greylisted/);
  await untilMail(good, hasState('sent'));
  assert.equal((await service.beside.mails.readServerState()).failures, 0);
  server.setFault(undefined);
  await service.beside.mails.retry(later, audit());
  await untilMail(later, hasState('sent'));
  assert.deepEqual(recipients(), ['good@example.org', 'later@example.org']);
});

test('mails wait for a server that is down, and arrive once', soon, async () => {
  server.setFault((step) => (step === 'connect' ? '421 4.3.2 Down' : undefined));
  const voucher = await addVoucher();
  const guests = [1, 2, 3, 4].map((lane) => `guest${lane}@example.org`);
  const ids = [];
  for (const [index, guest] of guests.entries()) ids.push(await addMail(voucher, guest, index + 1));
  await until(async () => (await service.beside.mails.readServerState()).failures >= 2);
  for (const id of ids)
    assert.partialDeepStrictEqual(await untilMail(id, hasState('waiting')), { attempts: 0 });
  server.setFault(undefined);
  await service.beside.mails.endPause();
  for (const id of ids) await untilMail(id, hasState('sent'));
  assert.deepEqual(recipients(), guests);
});

test('a server that works again is noticed by a refused mail, too', soon, async () => {
  server.setFault((step) => (step === 'connect' ? '421 4.3.2 Down' : undefined));
  const id = await addMail(await addVoucher(), 'gone@example.org');
  await until(async () => (await service.beside.mails.readServerState()).failures > 0);
  server.setFault((step) => (step === 'recipient' ? '550 5.1.1 No such user' : undefined));
  await untilMail(id, hasState('failed'));
  assert.equal((await service.beside.mails.readServerState()).failures, 0);
});

test('a clock that jumps ahead does not cancel the mail of a voucher that seems expired', soon, async () => {
  const voucher = await addVoucher();
  await service.change(
    `update vouchers set first_used_at_s = ${Math.floor(systemClock.nowMs() / 1000)} where id = ${voucher.id}`,
  );
  aheadMs = 800 * 24 * 60 * 60_000;
  const id = await addMail(voucher, 'anna@example.org');
  const { state, lastError } = await untilMail(id, (mail) => mail.lastError !== null);
  aheadMs = 0;
  assert.equal(state, 'waiting');
  assert.match(lastError ?? '', /clock that is doubted/);
  await untilMail(id, hasState('sent'));
});

test('an ended voucher is not sent, and takes no slot of the hour', soon, async () => {
  await saveServer(1);
  const [ended, open] = [await addVoucher(), await addVoucher()];
  await service.change(`update vouchers set revoked_at_s = 1 where id = ${ended.id}`);
  await untilMail(await addMail(ended, 'ended@example.org'), hasState('cancelled'));
  await untilMail(await addMail(open, 'first@example.org'), hasState('sent'));
  const second = await addMail(open, 'second@example.org');
  await sleep(200);
  assert.partialDeepStrictEqual(await untilMail(second, () => true), { state: 'waiting', attempts: 0 });
  await saveServer();
  await untilMail(second, hasState('sent'));
  assert.deepEqual(recipients(), ['first@example.org', 'second@example.org']);
});
