// Orders vouchers with mails from instances that are killed again and again, through a mail server that often fails.
// Some vouchers are revoked before their mail is sent. In the end the mails that arrived must match the vouchers.

import { setTimeout as sleep } from 'node:timers/promises';
import { startSimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import { openInstallation } from '../../src/app/installation.ts';
import type { Installation } from '../../src/kernel/installation.ts';
import { makeSyncUseCases } from '../../src/kernel/vouchers/sync-use-cases.ts';
import type { Config } from '../../src/platform/config/config.ts';
import { readConfig } from '../../src/platform/config/read-config.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { openStorage } from '../../src/platform/database/open-storage.ts';
import { TESTER } from '../../tests/support/actors.ts';
import { callApi } from '../../tests/support/run-gastpass.ts';
import { chanceOf } from '../chance-of.ts';
import { type PacedService, startPacedService } from '../paced-service.ts';
import { auditMails, type Expected } from './audit-mails.ts';
import { type Book, startFlakyMailServer } from './flaky-mail-server.ts';

/** Scales a minute of waiting for a reply to 2.4 s, and all other times alike. */
const PACE = 0.04;
const CALLERS = 8;
/** Below the limit of mails that one key may order in an hour. */
const MAILS_PER_KEY = 400;
/** Long enough that some orders are on their way to the console when an instance is killed. */
const CONSOLE_LATENCY_MS = 20;
/** Limits the mails that wait, so that kills hit orders until the end. */
const MAX_AHEAD = 100;
const REVOKED_SHARE = 0.1;
const MAX_WAIT_BEFORE_REVOCATION_MS = 1_000;
const MAX_WAIT_BEFORE_KILL_MS = 50;
const LATER_MS = 10 * 60_000;
/** Longer than the leases of a killed instance, and than the pause after five failures in a row. */
const PATIENCE_MS = 90_000;
const POLL_MS = 5;

export interface KilledSendersOptions {
  mails: number;
  kills: number;
  seed: number;
  instances: number;
  /** The environment of the service: its data folder and its database. */
  settings: Record<string, string>;
}

export interface KilledSendersReport extends Pick<Book, 'connections'> {
  /** Faults of the mail server, by kind. */
  failures: Book['faults'];
  kills: number;
  acknowledged: number;
  /** Orders that a kill cut off. */
  cutOff: number;
  /** Vouchers at the end. */
  vouchers: number;
  revoked: number;
  /** Guests who got their mail. */
  guests: number;
  /** Mails that arrived again. */
  repeats: number;
  /** Mails that were not sent, because their voucher had ended. */
  cancelled: number;
  seconds: number;
  faults: string[];
}

interface Run {
  options: KilledSendersOptions;
  services: PacedService[];
  book: Book;
  keys: string[];
  siteId: number;
  expected: Expected;
  cutOff: number;
}

export async function runKilledSenders(options: KilledSendersOptions): Promise<KilledSendersReport> {
  const startedAt = performance.now();
  const server = await startFlakyMailServer(options.seed);
  const environment = {
    GASTPASS_DEMO: '0',
    LOG_LEVEL: 'silent',
    PORT: '0',
    SYNC_INTERVAL_S: '86400',
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    SMTP_TLS: 'off',
    MAIL_FROM: 'Hotel <wlan@hotel.example>',
    ...options.settings,
  };
  const { config, issues } = readConfig(environment);
  if (!config) throw new Error(`the configuration of the run is faulty: ${issues}`);
  const console = await startSimulatedConsole({ latencyMs: CONSOLE_LATENCY_MS });
  const installation = await openInstallation(config);
  const { database } = await openStorage(config);
  const services: PacedService[] = [];
  try {
    const { siteId, keys } = await prepare(installation, console, options.mails);
    const start = () => startPacedService(environment, PACE);
    for (let index = 0; index < options.instances; index++) services.push(await start());
    const expected: Expected = { acknowledged: new Map(), revokedAtMs: new Map() };
    const run: Run = { options, services, book: server.book, keys, siteId, expected, cutOff: 0 };

    const ordering = orderAll(run);
    // Prevents an unhandled rejection; `await ordering` below throws the same error.
    ordering.catch(() => {});
    for (const [number, point] of killPoints(options).entries()) {
      const index = number % services.length;
      const victim = services[index];
      // Every second kill comes when a mail was taken and that is not recorded yet; the others come at any moment.
      if (number % 2 === 0) server.beforeReply(point, () => void victim?.kill());
      await untilArrived(run, point);
      await sleep(chanceOf(`${options.seed} wait ${number}`) * MAX_WAIT_BEFORE_KILL_MS);
      await victim?.kill();
      services[index] = await start();
    }
    await ordering;
    await settleLater(config);
    const waiting = await untilNothingWaits(database, server.book);
    await server.settled();
    const { arrivals, addresses, connections, faults: failures } = server.book;
    const audit = await auditMails(database, arrivals, expected);
    return {
      connections,
      failures,
      kills: options.kills,
      acknowledged: expected.acknowledged.size,
      cutOff: run.cutOff,
      guests: addresses.size,
      repeats: arrivals.length - addresses.size,
      ...audit,
      faults: [...waiting, ...audit.faults],
      seconds: Math.round((performance.now() - startedAt) / 1000),
    };
  } finally {
    await Promise.all(services.map((service) => service.kill()));
    await database.close();
    await installation.close();
    await console.stop();
    await server.stop();
  }
}

async function prepare(
  { sites, issueKey }: Installation,
  console: Awaited<ReturnType<typeof startSimulatedConsole>>,
  mails: number,
): Promise<{ siteId: number; keys: string[] }> {
  const audit = { actor: TESTER, atMs: Date.now() };
  const { url, apiKey, fingerprint256 } = console;
  const connection = {
    url,
    credentials: { apiKey },
    trust: { kind: 'pinned' as const, fingerprint256 },
  };
  const site = {
    name: 'Haus am See',
    active: true,
    controllerKind: 'unifi' as const,
    controllerSite: 'default',
  };
  const siteId = await sites.add({ ...site, connection }, audit);
  const keys: string[] = [];
  for (let number = 0; number < mails / MAILS_PER_KEY; number++)
    keys.push((await issueKey({ name: `Kasse ${number}`, scope: 'write', rateLimit: 0 }, audit)).keyText);
  return { siteId, keys };
}

async function orderAll(run: Run): Promise<void> {
  const { options, expected } = run;
  let next = 0;
  const caller = async () => {
    while (next < options.mails) {
      const number = next++;
      // Orders that were cut off may never lead to a mail.
      await untilArrived(run, number - MAX_AHEAD - expected.revokedAtMs.size - run.cutOff);
      await orderOne(run, number);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

async function orderOne(run: Run, number: number): Promise<void> {
  const { keys, siteId, expected, options } = run;
  const key = keys[number % keys.length] ?? '';
  const guest = guestOf(number);
  const reply = await callSome(run, {
    key,
    body: { site_id: siteId, name: guest },
    headers: { 'guest-email': `${guest}@example.org`, 'guest-language': number % 2 === 0 ? 'de' : 'en' },
  });
  if (!reply) {
    run.cutOff++;
    return;
  }
  if (reply.status !== 201) throw new Error(`an order got ${reply.status} ${JSON.stringify(reply.json)}`);
  const code = String(reply.json.code);
  expected.acknowledged.set(guest, code);
  if (chanceOf(`${options.seed} revoke ${number}`) >= REVOKED_SHARE) return;
  await sleep(chanceOf(`${options.seed} before ${number}`) * MAX_WAIT_BEFORE_REVOCATION_MS);
  const found = await callSome(run, { key, path: `v1/vouchers/by-code/${siteId}/${code}` });
  const revoked =
    found && (await callSome(run, { key, path: `v1/vouchers/${found.json.id}/revoke`, method: 'POST' }));
  if (revoked?.status === 200) expected.revokedAtMs.set(guest, Date.now());
}

/** Calls an instance that runs. Undefined if a kill cuts the call off, so that its outcome is unknown. */
async function callSome({ services }: Run, request: Parameters<typeof callApi>[1]) {
  for (;;) {
    const running = services.filter((service) => service.isRunning());
    const service = running[Math.floor(Math.random() * running.length)];
    if (service) return callApi(service, request).catch(() => undefined);
    await sleep(POLL_MS);
  }
}

const guestOf = (number: number) => `gast-${String(number).padStart(6, '0')}`;

/** Returns the number of guests at each kill: the run has stretches of equal length with one kill in each. */
function killPoints({ mails, kills, seed }: KilledSendersOptions): number[] {
  // Revoked vouchers and orders that are cut off lead to no mail, so the last kills would never come otherwise.
  const stretch = (mails * (1 - 2 * REVOKED_SHARE)) / kills;
  return Array.from({ length: kills }, (_, number) =>
    Math.floor(stretch * (number + chanceOf(`${seed} kill ${number}`))),
  );
}

/** Settles orders that were cut off, as if ten minutes had passed. */
async function settleLater(config: Config): Promise<void> {
  const installation = await openInstallation(config, { nowMs: () => Date.now() + LATER_MS });
  await makeSyncUseCases(installation).settleIntents(new AbortController().signal);
  await installation.close();
}

async function untilArrived({ book }: Pick<Run, 'book'>, count: number): Promise<void> {
  const isLate = makePatience(book);
  while (book.addresses.size < count) {
    if (isLate()) throw new Error(`nothing arrives any more, after ${book.addresses.size} of ${count} mails`);
    await sleep(POLL_MS);
  }
}

async function untilNothingWaits({ read }: Database, book: Book): Promise<string[]> {
  const isLate = makePatience(book);
  for (;;) {
    const rows = await read
      .selectFrom('messages')
      .select(['event_id', 'state'])
      .where('channel', '=', 'mail')
      .where('state', 'in', ['held', 'waiting', 'sending'])
      .execute();
    if (rows.length === 0 || isLate())
      return rows.map(({ event_id, state }) => `${event_id} is still ${state}`);
    await sleep(10 * POLL_MS);
  }
}

/** True when nothing has connected for a long time. */
function makePatience(book: Book): () => boolean {
  let [connections, giveUpAt] = [-1, 0];
  return () => {
    if (book.connections !== connections)
      [connections, giveUpAt] = [book.connections, performance.now() + PATIENCE_MS];
    return performance.now() > giveUpAt;
  };
}
