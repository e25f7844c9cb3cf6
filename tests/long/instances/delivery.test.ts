// Notifications of several instances on one PostgreSQL: each notification arrives once and in order, whichever instance
// created the voucher. When the delivering instance dies or loses its connections, another instance continues.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type Fleet, type FleetSite, startFleet } from '../../../rel/instances/fleet.ts';
import { callApi } from '../../support/run-gastpass.ts';
import { until } from '../../support/until.ts';
import {
  addWebhookTo,
  type RecordingReceiver,
  startReceiver,
} from '../../webhooks/delivery/recording-receiver.ts';

const PATIENCE_AFTER_BREAKS_MS = 180_000;

let fleet: Fleet;
let site: FleetSite;
let key: string;
let receiver: RecordingReceiver;
beforeEach(async () => {
  fleet = await startFleet(2);
  site = await fleet.addConsole('unifi');
  key = await fleet.issueKey('write');
  receiver = await startReceiver();
});
afterEach(async () => {
  await fleet.stop();
  await receiver.stop();
});

/** Creates vouchers one after the other, on each running instance in turn. */
async function makeVouchers(count: number): Promise<void> {
  const { instances } = fleet;
  for (let made = 0; made < count; made++) {
    const instance = instances[made % instances.length];
    assert.ok(instance);
    const reply = await callApi(instance, { key, body: { site_id: site.siteId, name: `Zimmer ${made}` } });
    assert.equal(reply.status, 201);
  }
}

async function eventsTo(webhook: number): Promise<string[]> {
  const rows = await fleet.database.rows(
    'select event_id from messages where recipient_id = $1 order by id',
    webhook,
  );
  return rows.map(({ event_id }) => String(event_id));
}

/** The subjects of the created vouchers, in the order of creation. */
async function madeInOrder(): Promise<unknown[]> {
  const rows = await fleet.database.rows(
    "select subject from audit where action = 'voucher.created' order by id",
  );
  return rows.map(({ subject }) => subject);
}

test('two instances deliver each notification once to each webhook, in order', async (t) => {
  const other = await startReceiver();
  t.after(other.stop);
  const one = await addWebhookTo(fleet.beside, receiver.url);
  const two = await addWebhookTo(fleet.beside, other.url);
  await makeVouchers(30);
  await until(() => receiver.accepted.length >= 30 && other.accepted.length >= 30);
  // An instance that sent a notification twice would do so before the delivery is recorded.
  await until(async () => {
    const left = await fleet.database.rows(
      "select 1 from messages where state = 'waiting' and recipient_id in ($1, $2)",
      one,
      two,
    );
    return left.length === 0;
  });
  assert.deepEqual(receiver.ids(), await eventsTo(one));
  assert.deepEqual(other.ids(), await eventsTo(two));
  assert.deepEqual(await eventsTo(one), await eventsTo(two));
  assert.equal(new Set(receiver.ids()).size, (await madeInOrder()).length);
});

test('a failure does not change the order, though either instance may make the next delivery attempt', async () => {
  const id = await addWebhookTo(fleet.beside, receiver.url);
  receiver.behave((_, number) => ({ status: number === 1 ? 500 : 200 }));
  await makeVouchers(6);
  await until(() => receiver.accepted.length >= 6);
  const events = await eventsTo(id);
  assert.deepEqual(receiver.ids(), [events[0], ...events]);
});

test('when the delivering instance is killed, the other instance continues, with the same event id', async () => {
  const [delivers] = fleet.instances;
  await fleet.instances.pop()?.stop();
  const id = await addWebhookTo(fleet.beside, receiver.url);
  // The receiver accepts nothing before the kill, however long the other instance takes to start.
  let isKilled = false;
  receiver.behave(() => (isKilled ? {} : 'never'));
  await makeVouchers(3);
  await until(() => receiver.arrivals.length === 1);
  fleet.instances.push(await fleet.start());
  await delivers?.stop('SIGKILL');
  isKilled = true;
  await until(() => receiver.accepted.length >= 3);
  const events = await eventsTo(id);
  const [inVain, last] = [receiver.ids().slice(0, -3), receiver.ids().slice(-3)];
  assert.deepEqual(last, events);
  // One delivery attempt, or more if the start took longer than the timeout of a delivery attempt.
  assert.deepEqual([...new Set(inVain)], [events[0]]);
});

test('when all connections to the database break during a call, no notification is lost', async () => {
  const id = await addWebhookTo(fleet.beside, receiver.url);
  const name = new URL(fleet.database.url).pathname.slice(1);
  receiver.behave(async (_, number) => {
    if (number % 3 === 1)
      await fleet.database.rows(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'gastpass'",
        name,
      );
    return {};
  });
  await fleet.database.rows(
    "insert into outbox (event_id, voucher_count, site_name, source, created_at_ms) select 'event ' || i, 1, 'x', 'x', 1 from generate_series(10, 15) i",
  );
  // After each break both instances may pause, and a lease that could not be released must end first.
  await until(() => new Set(receiver.accepted).size === 6, { patienceMs: PATIENCE_AFTER_BREAKS_MS });
  assert.deepEqual([...new Set(receiver.accepted)], await eventsTo(id));
});
