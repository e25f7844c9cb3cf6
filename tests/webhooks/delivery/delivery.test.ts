// Tests notifications end to end with a real service and real receivers. The clock stands still unless a test advances
// it, so that each pause ends exactly when the test says so.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { LoggedDelivery } from '../../../src/features/webhooks/delivery.ts';
import { WEBHOOK_CHANNEL } from '../../../src/features/webhooks/delivery.ts';
import { openSimulatedVouchers } from '../../../src/kernel/controllers/simulator/simulated-vouchers.ts';
import { asSiteId } from '../../../src/kernel/ids.ts';
import { settle } from '../../faults/bookkeeping.ts';
import { actorOf, TESTER } from '../../support/actors.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import {
  addWebhookTo,
  makeVouchers,
  type RecordingReceiver,
  SECRET_PATH,
  startReceiver,
} from './recording-receiver.ts';

const PACE = 0.1;
/** Longer than the longest pause between two delivery attempts. */
const DAYS_MS = 2 * 24 * 60 * 60_000;
const MAX_ATTEMPTS = 10;

let service: TestService;
let receiver: RecordingReceiver;
beforeEach(async () => {
  service = await startTestService({ pace: PACE });
  receiver = await startReceiver();
});
afterEach(async () => {
  await service.stop();
  await receiver.stop();
});

const log = () => service.beside.deliveries.log({ limit: 50 });
const waiting = async () => (await service.beside.readBacklogs()).deliveries.count;
const statesOf = async () => (await log()).map(({ state }) => state).reverse();
const attemptsOf = (delivery: LoggedDelivery | undefined) => delivery?.attempts.map(({ status }) => status);
/** Waits until the service, not only the receiver, has recorded this number of delivery attempts. */
const noted = (attempts: number) =>
  until(async () => (await log()).reduce((sum, delivery) => sum + delivery.attempts.length, 0) === attempts);

// Contract: The notification is sent to a configured webhook target, either …
test('a voucher created through the API causes one notification to every webhook, without its code', async () => {
  const chat = await startReceiver();
  await addWebhookTo(service.beside, receiver.url);
  await addWebhookTo(service.beside, chat.url, { format: 'chat', secrets: null });
  const { code } = await service.client.createVoucher({ site: 1, name: 'Zimmer 12' });
  await until(async () => (await log()).length === 2 && (await waiting()) === 0);
  await chat.stop();

  assert.deepEqual([receiver.arrivals.length, chat.arrivals.length], [1, 1]);
  const [arrival] = receiver.arrivals;
  assert.deepEqual(arrival?.body, {
    type: 'voucher.created',
    timestamp: new Date(service.clock.nowMs()).toISOString(),
    data: { count: 1, site: 'Demo', source: 'API: Test' },
  });
  assert.match(String(arrival?.headers['webhook-signature']), /^v1,\S+$/);
  assert.deepEqual(chat.arrivals[0]?.body, { text: '🎫 Ein Voucher für "Demo" von API: Test erstellt.' });
  assert.ok(![arrival, ...chat.arrivals].some((one) => one?.text.includes(code)));
});

// Contract: Webhook payload, event name, delivery, signing and retry behaviour …
test('the order of notifications is kept, however often the first one fails', async () => {
  await addWebhookTo(service.beside, receiver.url);
  receiver.behave((_, number) => ({ status: number <= 3 ? 503 : 204 }));
  const events = await makeVouchers(service, 3);
  for (let attempts = 1; attempts <= 3; attempts++) {
    await noted(attempts);
    assert.equal(receiver.arrivals.length, attempts, 'the pause is not over');
    service.clock.advance(DAYS_MS);
  }
  await until(async () => (await waiting()) === 0);
  const [one] = events;
  assert.deepEqual(receiver.ids(), [one, one, one, ...events]);
  assert.deepEqual(attemptsOf((await log()).at(-1)), [503, 503, 503, 204]);
});

test('the service waits for the time given in Retry-After', async () => {
  await addWebhookTo(service.beside, receiver.url);
  receiver.behave((_, number) => (number === 1 ? { status: 429, headers: { 'retry-after': '3600' } } : {}));
  await makeVouchers(service, 1);
  await noted(1);
  const [delivery] = await log();
  assert.equal(delivery?.nextAttemptAtMs, service.clock.nowMs() + 3_600_000);
  service.clock.advance(3_599_999);
  await until(async () => (await service.beside.messages.listDue(WEBHOOK_CHANNEL)).length === 0);
  await makeVouchers(service, 1);
  assert.equal(receiver.arrivals.length, 1);
  service.clock.advance(1);
  await until(() => receiver.accepted.length === 2);
});

test('after ten delivery attempts a notification is given up, and the next one is delivered', async () => {
  await addWebhookTo(service.beside, receiver.url);
  receiver.behave((_, number) => ({ status: number <= MAX_ATTEMPTS ? 500 : 200 }));
  const [one, two] = await makeVouchers(service, 2);
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts++) {
    await noted(attempts);
    service.clock.advance(DAYS_MS);
  }
  await until(async () => (await waiting()) === 0);
  assert.deepEqual(await statesOf(), ['given-up', 'delivered']);
  assert.deepEqual(receiver.ids(), [...Array.from({ length: MAX_ATTEMPTS }, () => one), two]);
});

test('410 deactivates a webhook; after activation it gets the waiting and the new notifications', async () => {
  const id = await addWebhookTo(service.beside, receiver.url);
  receiver.behave(() => ({ status: 410 }));
  const lease = service.beside.withLease;
  // The lease prevents sending before both notifications are queued.
  const [gone, kept] =
    (await lease(`webhook ${id}`, new AbortController().signal, () => makeVouchers(service, 2))) ?? [];
  await noted(1);
  const webhook = await service.beside.webhooks.find(id);
  assert.partialDeepStrictEqual(webhook, { active: false });
  assert.match(webhook?.offBecause ?? '', /gone for good \(410\)/);
  service.clock.advance(DAYS_MS);
  assert.deepEqual(await statesOf(), ['given-up', 'waiting']);

  receiver.behave(() => ({}));
  await service.beside.webhooks.change(id, { active: true }, { actor: TESTER, atMs: 0 });
  const [later] = await makeVouchers(service, 1);
  await until(async () => (await waiting()) === 0);
  assert.deepEqual(receiver.ids(), [gone, kept, later]);
});

test('a chat gets at most one message per second, which counts all vouchers that wait for it', async () => {
  await addWebhookTo(service.beside, receiver.url, { format: 'chat', secrets: null });
  const messages = () => receiver.arrivals.map(({ body }) => String(body.text).split(' für')[0]);
  await makeVouchers(service, 1);
  await noted(1);
  await makeVouchers(service, 3);
  service.clock.advance(1_000 * PACE - 1);
  assert.deepEqual(await service.beside.messages.listDue(WEBHOOK_CHANNEL), []);
  assert.deepEqual(messages(), ['🎫 Ein Voucher']);
  service.clock.advance(1);
  await until(async () => (await waiting()) === 0);
  assert.deepEqual(messages(), ['🎫 Ein Voucher', '🎫 3 Voucher']);
  assert.deepEqual(await statesOf(), ['delivered', 'delivered', 'merged', 'merged']);
});

test('a voucher whose response was lost and that is found later causes a notification too', async () => {
  await addWebhookTo(service.beside, receiver.url);
  const order = { name: '2026-01-15_spät', maxUses: 1, expireMinutes: 5, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const by = { siteId: asSiteId(1), siteName: 'Demo', actor: actorOf('API: Theke') };
  assert.ok((await service.beside.vouchers.begin({ ...by, order })).ok);
  const controller = openSimulatedVouchers(service.config.dataDir);
  controller.create('1/default', order, service.clock.nowMs());
  controller.close();
  service.clock.advance(60_000);
  await settle(service.beside);
  await until(() => receiver.accepted.length === 1);
  assert.deepEqual(receiver.arrivals[0]?.body.data, { count: 1, site: 'Demo', source: 'API: Theke' });
});

test('a notification that is sent again has the same id and the same content', async () => {
  await addWebhookTo(service.beside, receiver.url);
  await makeVouchers(service, 1);
  await until(async () => (await waiting()) === 0);
  const [delivery] = await log();
  assert.ok(delivery);
  await service.beside.deliveries.resend(delivery.id, { actor: TESTER, atMs: 0 });
  await until(() => receiver.accepted.length === 2);
  const [first, second] = receiver.arrivals;
  assert.deepEqual([second?.eventId, second?.text], [first?.eventId, first?.text]);
});

test('neither the log nor the metrics contain the path of a URL, a secret or a signature', async () => {
  await addWebhookTo(service.beside, receiver.url);
  await addWebhookTo(service.beside, `http://127.0.0.1:1/${SECRET_PATH}?token=GEHEIM`);
  receiver.behave(({ path, headers }) => ({ status: 500, body: `${path} ${headers['webhook-signature']}` }));
  await makeVouchers(service, 1);
  await noted(2);
  // A delivery attempt is recorded first, then logged.
  const failed = () => service.logLines.filter(({ msg }) => msg === 'a message was not delivered');
  await until(() => failed().length === 2);
  const { text } = await service.call('GET', '/metrics', { key: null });
  const told = JSON.stringify(service.logLines) + text;
  for (const secret of ['GEHEIM', 'whsec', String(receiver.arrivals[0]?.headers['webhook-signature'])])
    assert.ok(!told.includes(secret), secret);
  assert.ok(!JSON.stringify(await log()).includes('GEHEIM'));
});
