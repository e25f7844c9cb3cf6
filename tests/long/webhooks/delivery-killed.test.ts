// A real process that is killed or stopped while it delivers: the running delivery attempt is repeated with the same
// event id or completed, no notification is lost, and the order is kept.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { openInstallation } from '../../../src/app/installation.ts';
import { asWebhookId } from '../../../src/kernel/ids.ts';
import { TESTER } from '../../support/actors.ts';
import { readRecords } from '../../support/engine.ts';
import { callApi, makeFolder, type RunningGastpass, startGastpass } from '../../support/run-gastpass.ts';
import { configOf } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import {
  addWebhookTo,
  type RecordingReceiver,
  startReceiver,
} from '../../webhooks/delivery/recording-receiver.ts';

const environment = { GASTPASS_DEMO: '0', LOG_LEVEL: 'debug', SYNC_INTERVAL_S: '86400' };

let dataDir: string;
let remove: () => void;
let receiver: RecordingReceiver;
let key: string;
let service: RunningGastpass;
beforeEach(async () => {
  ({ folder: dataDir, remove } = makeFolder());
  receiver = await startReceiver();
  const installation = await openInstallation(await configOf(dataDir));
  const site = {
    name: 'Haus A',
    active: true,
    controllerKind: 'simulator' as const,
    controllerSite: 'default',
  };
  await installation.sites.add({ ...site, connection: null }, { actor: TESTER, atMs: 0 });
  await addWebhookTo(installation, receiver.url);
  ({ keyText: key } = await installation.issueKey(
    { name: 'Test', scope: 'write', rateLimit: 0 },
    { actor: TESTER, atMs: Date.now() },
  ));
  await installation.close();
  service = await start();
});
afterEach(async () => {
  await service.stop('SIGKILL');
  await receiver.stop();
  remove();
});

const start = () => startGastpass({ dataDir, environment });

async function makeVouchers(count: number): Promise<void> {
  for (let made = 0; made < count; made++) {
    const reply = await callApi(service, { key, body: { site_id: 1, name: `Zimmer ${made}` } });
    assert.equal(reply.status, 201);
  }
}

const texts = (sql: string) => readRecords(dataDir, sql).map(({ text }) => String(text));
const events = () => texts('select event_id as text from messages order by id');
const states = () => texts('select state as text from messages order by id');
const owed = () => Number(readRecords(dataDir, 'select count(*) as count from outbox')[0]?.count);

test('a delivery attempt cut off by a kill is repeated with the same event id, before all others', async () => {
  receiver.behave((_, number) => (number === 1 ? 'never' : {}));
  await makeVouchers(3);
  await until(() => receiver.arrivals.length === 1);
  assert.equal((await service.stop('SIGKILL')).signal, 'SIGKILL');
  service = await start();
  await until(() => receiver.accepted.length === 3);
  const [one, two, three] = events();
  assert.deepEqual(receiver.ids(), [one, one, two, three]);
  assert.deepEqual(new Set([receiver.arrivals[0]?.text, receiver.arrivals[1]?.text]).size, 1);
});

test('after a kill in the middle of many deliveries, at most the running one arrives twice', async () => {
  const MANY = 25;
  receiver.behave((_, number) => {
    if (number === 7) service.child.kill('SIGKILL');
    return {};
  });
  await makeVouchers(MANY).catch(() => undefined);
  await service.ended;
  service = await start();
  await until(() => owed() === 0 && states().every((state) => state === 'done'));
  assert.ok(events().length >= 7, 'the kill came too early');
  assert.deepEqual([...new Set(receiver.ids())], events());
  assert.ok(receiver.ids().length <= events().length + 1, receiver.ids().join('\n'));
});

test('after a kill before the first delivery attempt, the next process delivers everything', async () => {
  await makeVouchers(2);
  await service.stop('SIGKILL');
  service = await start();
  await until(() => owed() === 0 && states().length === 2 && !states().includes('waiting'));
  assert.deepEqual([...new Set(receiver.ids())], events());
});

test('on SIGTERM the running delivery attempt completes, no other starts, and none is repeated', async () => {
  const { promise: responded, resolve: respond } = Promise.withResolvers<void>();
  receiver.behave(() => responded.then(() => ({})));
  await makeVouchers(2);
  await until(() => receiver.arrivals.length === 1 && states().length === 2);
  const ended = service.stop();
  await until(async () => (await fetch(`${service.url}/healthz`).catch(() => null)) === null);
  respond();
  const { code, stdout } = await ended;
  assert.equal(code, 0);
  assert.ok(!stdout.includes('GEHEIM') && !stdout.includes('whsec_'), stdout);
  assert.deepEqual([states(), receiver.arrivals.length], [['done', 'waiting'], 1]);
  service = await start();
  await until(() => receiver.accepted.length === 2);
  assert.deepEqual(receiver.ids(), events());
});

test('vouchers merged into one message of a chat are neither lost nor counted twice by a kill', async () => {
  await service.stop('SIGKILL');
  const chat = await startReceiver();
  const installation = await openInstallation(await configOf(dataDir));
  await installation.webhooks.remove(asWebhookId(1), { actor: TESTER, atMs: 0 });
  await addWebhookTo(installation, chat.url, { format: 'chat', secrets: null });
  await installation.close();
  // The first message is accepted, the second is cut off by the kill.
  chat.behave((_, number) => (number === 2 ? 'never' : {}));
  service = await start();
  await makeVouchers(1);
  await until(() => states()[0] === 'done');
  await makeVouchers(5);
  await until(() => chat.arrivals.length === 2);
  assert.equal((await service.stop('SIGKILL')).signal, 'SIGKILL');
  service = await start();
  await until(() => owed() === 0 && states().length === 6 && !states().includes('waiting'));
  const accepted = chat.arrivals.filter((_, index) => index !== 1);
  const counts = accepted.map(({ body }) => Number(/\d+/.exec(body.text)?.[0] ?? 1));
  const sum = counts.reduce((total, count) => total + count, 0);
  assert.deepEqual([sum, counts.length < 6], [6, true], counts.join());
  await chat.stop();
});
