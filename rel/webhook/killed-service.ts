// Delivers events to a receiver that often fails, from a service that is killed again and again. Events are written
// directly to the outbox, as the transaction of a voucher does. In the end every event must have arrived.

import { setTimeout as sleep } from 'node:timers/promises';
import { openInstallation } from '../../src/app/installation.ts';
import { makeWebhookUseCases } from '../../src/features/webhooks/webhook-use-cases.ts';
import { insertOutboxEvent } from '../../src/kernel/messages/outbox-queries.ts';
import { readConfig } from '../../src/platform/config/read-config.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { openStorage } from '../../src/platform/database/open-storage.ts';
import { TESTER } from '../../tests/support/actors.ts';
import { chanceOf } from '../chance-of.ts';
import { type PacedService, startPacedService } from '../paced-service.ts';
import { type Book, siteNameOf, startFlakyReceiver } from './flaky-receiver.ts';

/** Scales ten seconds of waiting for a response to 20 ms, and all other delivery times alike. */
const PACE = 0.002;
const BATCH = 20;
/** Limits the events written ahead, so that kills also interrupt the conversion of events into deliveries. */
const MAX_AHEAD = 50;
const MAX_WAIT_BEFORE_KILL_MS = 50;
/** Longer than the pause after seven failures in a row, which a very busy machine may cause. */
const PATIENCE_MS = 90_000;
const POLL_MS = 5;

export interface KilledServiceOptions {
  events: number;
  kills: number;
  seed: number;
  /** The environment of the service: its data folder and its database. */
  settings: Record<string, string>;
  /**
   * After every n-th kill the lease of the killed service has to expire, which takes 10 real seconds; after the other
   * kills all leases are deleted.
   */
  leaseRunsOutEvery: number;
}

export interface KilledServiceReport extends Omit<Book, 'accepted'> {
  accepted: number;
  kills: number;
  seconds: number;
}

export async function runKilledService(input: KilledServiceOptions): Promise<KilledServiceReport> {
  const { events, kills, seed } = input;
  const environment = { GASTPASS_DEMO: '0', LOG_LEVEL: 'silent', PORT: '0', ...input.settings };
  const { config, issues: wrong } = readConfig(environment);
  if (!config) throw new Error(`the configuration of the run is faulty: ${wrong}`);
  const startedAt = performance.now();
  const receiver = await startFlakyReceiver(seed);
  const { book } = receiver;
  const installation = await openInstallation(config);
  const { database } = await openStorage(config);
  let service: PacedService | undefined;
  try {
    service = await startPacedService(environment, PACE);
    const added = await makeWebhookUseCases(installation).addWebhook(
      { url: receiver.url, format: 'generic' },
      { actor: TESTER, atMs: Date.now() },
    );
    if (!added.ok || !added.value.secret) throw new Error('the webhook was not added');
    receiver.useSecret(added.value.secret);

    const feeding = feed(database, book, events);
    // Prevents an unhandled rejection; `await feeding` below throws the same error.
    feeding.catch(() => {});
    for (const [number, point] of killPoints(input).entries()) {
      const victim = service;
      // Every second kill hits a delivery that was accepted and is not recorded yet; the other kills come at any
      // moment.
      if (number % 2 === 0) receiver.beforeResponse(point, () => void victim.kill());
      await untilAccepted(book, point);
      await sleep(chanceOf(`${seed} wait ${number}`) * MAX_WAIT_BEFORE_KILL_MS);
      await service.kill();
      if ((number + 1) % input.leaseRunsOutEvery !== 0) await endLeases(database);
      service = await startPacedService(environment, PACE);
    }
    await feeding;
    await untilAccepted(book, events);
    const { waiting, unfinished } = await untilNothingWaits(database);
    const faults = [...book.faults, ...faultsOf(book, events), ...waiting, ...unfinished];
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    return { ...book, accepted: book.accepted.length, kills, seconds, faults };
  } finally {
    await service?.kill();
    await database.close();
    await installation.close();
    receiver.stop();
  }
}

const eventIdOf = (number: number) => `event-${String(number).padStart(8, '0')}`;

async function feed(database: Database, book: Book, events: number): Promise<void> {
  for (let from = 0; from < events; from += BATCH) {
    await untilAccepted(book, from - MAX_AHEAD);
    const numbers = Array.from({ length: Math.min(BATCH, events - from) }, (_, index) => from + index);
    await database.write(async (transaction) => {
      for (const number of numbers) {
        const eventId = eventIdOf(number);
        const told = { voucherCount: 1, siteName: siteNameOf(eventId), source: 'API: Kasse' };
        await insertOutboxEvent(transaction, { eventId, ...told, occurredAtMs: Date.now() });
      }
    });
  }
}

/** Returns the number of accepted events at each kill: the run has stretches of equal length with one kill in each. */
function killPoints({ events, kills, seed }: KilledServiceOptions): number[] {
  const stretch = events / (kills + 1);
  return Array.from({ length: kills }, (_, number) =>
    Math.floor(stretch * (number + chanceOf(`${seed} kill ${number}`))),
  );
}

/** As if the duration of a lease were scaled like all other times. */
async function endLeases({ write }: Database): Promise<void> {
  await write((transaction) => transaction.deleteFrom('leases').execute());
}

async function untilAccepted(book: Book, count: number): Promise<void> {
  let [arrivals, giveUpAt] = [-1, 0];
  while (book.accepted.length < count) {
    if (book.arrivals !== arrivals) [arrivals, giveUpAt] = [book.arrivals, performance.now() + PATIENCE_MS];
    if (performance.now() > giveUpAt)
      throw new Error(`nothing arrives any more, after ${book.accepted.length} of ${count} events`);
    await sleep(POLL_MS);
  }
}

async function untilNothingWaits({ read }: Database) {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const owed = await read.selectFrom('outbox').select('event_id').execute();
    const rows = await read
      .selectFrom('messages')
      .select(['event_id', 'state'])
      .where('state', '!=', 'done')
      .execute();
    const waiting = [...owed, ...rows.filter(({ state }) => state === 'waiting')];
    if (waiting.length === 0 || performance.now() > giveUpAt)
      return {
        waiting: waiting.map(({ event_id }) => `${event_id} still waits`),
        unfinished: rows
          .filter(({ state }) => state !== 'waiting')
          .map(({ event_id, state }) => `${event_id} is ${state}`),
      };
    await sleep(POLL_MS);
  }
}

function faultsOf({ accepted }: Book, events: number): string[] {
  const expected = Array.from({ length: events }, (_, number) => eventIdOf(number));
  const arrived = new Set(accepted);
  const faults = expected.filter((id) => !arrived.has(id)).map((id) => `${id} never arrived`);
  if (accepted.length !== events) faults.push(`${accepted.length} events arrived, ${events} were made`);
  const odd = accepted.findIndex((id, number) => id !== expected[number]);
  if (odd >= 0) faults.push(`out of order: ${accepted[odd]} came where ${expected[odd]} was due`);
  return faults;
}
