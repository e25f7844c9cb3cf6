// Tests notifications when targets are dead, silent, unreliable or hostile, or when the database fails. Other webhooks
// do not wait, no notification is lost, and the order is kept.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import { TESTER } from '../../support/actors.ts';
import { holdWriteLock, withoutTable } from '../../support/disturb-records.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import { addWebhookTo, makeVouchers, type RecordingReceiver, startReceiver } from './recording-receiver.ts';

const DAYS_MS = 2 * 24 * 60 * 60_000;

let service: TestService;
let receiver: RecordingReceiver;
beforeEach(async () => {
  service = await startTestService({ pace: 0.1 });
  receiver = await startReceiver();
});
afterEach(async () => {
  await service.stop();
  await receiver.stop();
});

const waiting = async () => (await service.beside.readBacklogs()).deliveries.count;
const log = () => service.beside.deliveries.log({ limit: 1_000 });

/** Ends every pause at once until the condition is true. */
async function hurryUntil(isSo: () => Promise<boolean>): Promise<void> {
  await until(() => {
    service.clock.advance(DAYS_MS);
    return isSo();
  });
}

test('targets that refuse, hang or do not exist do not delay other webhooks', async () => {
  const hole = createServer(() => {}).listen(0, '127.0.0.1');
  await once(hole, 'listening');
  const address = hole.address();
  assert.ok(address && typeof address === 'object');
  const dead = [
    'http://127.0.0.1:1/',
    `http://127.0.0.1:${address.port}/`,
    'http://nowhere.invalid/',
    'https://127.0.0.1:1/',
  ];
  for (const url of dead) await addWebhookTo(service.beside, url);
  await addWebhookTo(service.beside, receiver.url);
  const events = await makeVouchers(service, 5);
  await until(() => receiver.accepted.length === 5);
  assert.deepEqual(receiver.ids(), events);
  const unanswered = async () => (await log()).filter(({ attempts }) => attempts[0]?.status === null);
  await until(async () => (await unanswered()).length === dead.length);
  hole.close();
  assert.match(JSON.stringify(await unanswered()), /no answer within 1 s/);
  // The last response may have arrived before the service has noted it.
  await until(async () => (await waiting()) === 5 * dead.length);
});

test('a receiver that fails three of ten requests gets all notifications in order', async () => {
  await addWebhookTo(service.beside, receiver.url);
  receiver.behave((_, number) => ({ status: (number * 7) % 10 < 3 ? 500 : 200 }));
  const events = await makeVouchers(service, 40);
  await hurryUntil(async () => (await waiting()) === 0);
  assert.deepEqual(receiver.accepted, events);
  assert.ok(receiver.arrivals.length > events.length);
  assert.deepEqual(new Set(receiver.ids()), new Set(events));
});

test('a receiver that gets a message and does not respond gets it again with the same id', async () => {
  await addWebhookTo(service.beside, receiver.url);
  receiver.behave((_, number) => (number === 1 ? 'never' : {}));
  const [event] = await makeVouchers(service, 1);
  await until(async () => (await log())[0]?.attempts.length === 1);
  service.clock.advance(DAYS_MS);
  await until(async () => (await waiting()) === 0);
  assert.deepEqual(receiver.ids(), [event, event]);
  assert.equal(receiver.arrivals[0]?.text, receiver.arrivals[1]?.text);
});

test('whatever bytes a receiver returns, the delivery attempt is recorded and the pause is kept', async () => {
  const responses = ['\u0000', 'a\u0000b\u001b[2J\u009b31m', '\ud800', '😀'.repeat(2_000), '\ufffe\u202e'];
  await addWebhookTo(service.beside, receiver.url);
  receiver.behave((_, number) => {
    const body = responses[number - 1];
    return body === undefined ? {} : { status: 500, body };
  });
  await makeVouchers(service, 1);
  for (let attempts = 1; attempts <= responses.length; attempts++) {
    await until(
      async () => receiver.arrivals.length > attempts || (await log())[0]?.attempts.length === attempts,
    );
    assert.equal(
      receiver.arrivals.length,
      attempts,
      `sent again without a pause after ${JSON.stringify(responses[attempts - 1])}`,
    );
    service.clock.advance(DAYS_MS);
  }
  await until(async () => {
    // On an overloaded machine an attempt may time out, and be repeated after a pause.
    service.clock.advance(60_000);
    return (await waiting()) === 0;
  });
  assert.equal((await log())[0]?.state, 'delivered');
});

test('a webhook that is removed during a call is not called again', async () => {
  const id = await addWebhookTo(service.beside, receiver.url);
  let respond = () => {};
  const responded = new Promise<void>((resolve) => {
    respond = resolve;
  });
  receiver.behave(() => responded.then(() => ({})));
  await makeVouchers(service, 2);
  await until(() => receiver.arrivals.length === 1);
  await service.beside.webhooks.remove(id, { actor: TESTER, atMs: 0 });
  respond();
  await until(() => service.rows('select name from leases where name = ?', `webhook ${id}`).length === 0);
  assert.deepEqual([receiver.arrivals.length, await log(), await waiting()], [1, [], 0]);
  assert.ok(!service.logLines.some(({ msg }) => String(msg).includes('cannot deliver')));
});

test('while the table of messages is missing, no notification is lost and the order is kept', async () => {
  await addWebhookTo(service.beside, receiver.url);
  const before = await makeVouchers(service, 1);
  await until(async () => (await waiting()) === 0);
  await withoutTable(service, 'messages', async () => {
    for (let made = 0; made < 3; made++) await service.client.createVoucher({ site: 1, name: 'Zimmer 12' });
    await until(() => service.logLines.some(({ worker }) => worker === 'messages by webhook'));
  });
  await until(() => new Set(receiver.accepted).size === 4);
  const owed = service.rows('select event_id from messages order by id').map(({ event_id }) => event_id);
  assert.deepEqual([...new Set(receiver.accepted)], owed);
  assert.equal(owed[0], before[0]);
});

test('if the database is locked during a call, a repeated notification has the same id', async () => {
  await addWebhookTo(service.beside, receiver.url);
  let lock: { release: () => void } | undefined;
  receiver.behave(async (_, number) => {
    if (number === 1) lock = await holdWriteLock(service);
    return {};
  });
  await service.client.createVoucher({ site: 1, name: 'Zimmer 12' });
  await until(() => receiver.accepted.length === 1);
  lock?.release();
  // On PostgreSQL taking the lock may exceed the timeout of the call; the next delivery attempt then waits.
  await hurryUntil(async () => (await log()).length === 1 && (await waiting()) === 0);
  assert.equal(new Set(receiver.ids()).size, 1);
});
