// Runs all cases of one driver concurrently: each on its own console, all through one service. After the responses,
// time is the fake clock's; within a request, waits are real.

import { setTimeout as sleep } from 'node:timers/promises';
import { type SimulatedConsole, startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { settle } from '../../faults/bookkeeping.ts';
import { TESTER } from '../../support/actors.ts';
import { type Reply, startTestService, type TestService } from '../../support/test-service.ts';
import type { Case, Driver } from './matrix.ts';
import { SECRETS } from './outcomes.ts';
import { SLOW_MS } from './rows-of-connections.ts';

/** The lifetime of a request, the time between two settlings, and the time after which every intent must be settled. */
const [REQUEST_MS, SETTLE_EVERY_MS, SETTLED_AFTER_MS] = [20_000, 30_000, 60_000];
const MAX_TURNS = 100;
/** The pause between two starts, so that the fault and not the load determines the outcome. */
const PAUSE_MS = 50;

interface Voucher {
  id: string;
  code: string;
}

export interface Books {
  upstream: Voucher[];
  recorded: Voucher[];
  openIntents: number;
}

export interface Observed {
  reply: Reply;
  tookMs: number;
  /** How often each fault occurred. */
  met: number[];
  settled: Books;
  /** The response to the same request again, with its Idempotency-Key. */
  repeated: Reply;
  /** The response to another order. */
  further: Reply;
  inTheEnd: Books;
}

interface Subject {
  console: SimulatedConsole;
  siteId: number;
  key: string;
  progress: { isOrdered: boolean };
}

export async function runCases(driver: Driver, cases: Case[]) {
  const service = await startTestService({ webhook: true });
  const { clock } = service;
  const startedAt = performance.now();
  const passedMs = () => Math.floor(performance.now() - startedAt);
  let isUnderFault = true;
  /**
   * While a request waits in real time, the clock of its console advances too, from the first call on. What a busy
   * machine adds before that does not count: the service's clock stands still. Afterwards all use the fake clock.
   */
  function makeConsoleClock(progress: Subject['progress']): () => number {
    let calledAt: number | undefined;
    return () => {
      if (!progress.isOrdered || !isUnderFault) return clock.nowMs();
      calledAt ??= performance.now();
      return clock.nowMs() + Math.floor(performance.now() - calledAt);
    };
  }
  const subjects: Subject[] = [];
  for (const [index, { faults }] of cases.entries()) {
    const progress = { isOrdered: false };
    const console = await startSimulatedConsole({
      flavour: driver.flavour,
      clock: makeConsoleClock(progress),
      ...SECRETS,
    });
    for (const fault of faults) console.controls.setFault(fault);
    const siteId = await addSite(service, { driver, console, name: `Haus ${index}` });
    subjects.push({ console, siteId, key: `case-${index}`, progress });
  }

  const order = ({ siteId, key }: Subject) =>
    service.call('POST', 'vouchers.php', {
      body: { site_id: siteId, name: 'Zimmer 12', max_uses: 2, qos: { down: 5000, quota_mb: 100 } },
      headers: { 'idempotency-key': key },
    });
  const further = ({ siteId }: Subject) =>
    service.call('POST', 'vouchers.php', { body: { site_id: siteId, name: 'Zimmer 14' } });

  async function orderUnderFault(subject: Subject) {
    const sentAt = performance.now();
    subject.progress.isOrdered = true;
    const reply = await order(subject);
    return { reply, tookMs: performance.now() - sentAt };
  }

  // Run after the other cases: beside them, on a busy machine, megabytes over TLS would exceed the time-out of a call.
  const isLarge = (index: number) => cases[index]?.faults.some(({ kind }) => kind === 'huge');
  const others = Promise.all(
    subjects.map(async (subject, index) => {
      if (isLarge(index)) return undefined;
      await sleep(index * PAUSE_MS);
      return orderUnderFault(subject);
    }),
  );
  await sleep(SLOW_MS + 2_000);
  const responded = await others;
  for (const [index, subject] of subjects.entries())
    if (isLarge(index)) responded[index] = await orderUnderFault(subject);
  const met = subjects.map(({ console }) => console.controls.faults().map((fault) => fault.met));

  clock.advance(Math.max(REQUEST_MS, passedMs()));
  isUnderFault = false;
  for (const { console } of subjects) console.controls.resetFaults();
  for (let pastMs = 0; pastMs < SETTLED_AFTER_MS; pastMs += SETTLE_EVERY_MS) {
    clock.advance(SETTLE_EVERY_MS);
    await settle(service.beside);
  }
  // The service also settles by itself. It may just hold the leases of some sites, with their ages from before.
  for (let turn = 0; turn < MAX_TURNS && (await settle(service.beside)).open > 0; turn++) await sleep(100);

  const settled = subjects.map((subject) => readBooks(service, driver, subject));
  const observed = new Map<string, Observed>();
  for (const [index, subject] of subjects.entries()) {
    const first = responded[index];
    const [title, books, faultsMet] = [cases[index]?.title, settled[index], met[index]];
    if (!first || title === undefined || !books || !faultsMet) throw new Error('a case was lost');
    const [repeated, another] = [await order(subject), await further(subject)];
    const inTheEnd = readBooks(service, driver, subject);
    observed.set(title, { ...first, met: faultsMet, settled: books, repeated, further: another, inTheEnd });
  }

  return {
    observed,
    service,
    async stop() {
      await service.stop();
      await Promise.all(subjects.map(({ console }) => console.stop()));
    },
  };
}

export function addSite(
  { beside, clock }: TestService,
  { driver, console, name }: { driver: Driver; console: SimulatedConsole; name: string },
): Promise<number> {
  const { url, apiKey, username, password, fingerprint256 } = console;
  const credentials = driver.kind === 'unifi' ? { apiKey } : { username, password };
  const connection = { url, credentials, trust: { kind: 'pinned' as const, fingerprint256 } };
  const site = {
    name,
    active: true,
    controllerKind: driver.kind,
    controllerSite: 'default',
    connection,
  };
  return beside.sites.add(site, { actor: TESTER, atMs: clock.nowMs() });
}

function readBooks(service: TestService, { kind }: Driver, { console, siteId }: Subject): Books {
  const made = console.controls.vouchers();
  const recorded = service.rows(
    'select controller_voucher_id as id, code from vouchers where site_id = ?',
    siteId,
  );
  const intents = service.rows('select count(*) as open from intents where site_id = ?', siteId);
  const byCode = (one: Voucher, other: Voucher) => one.code.localeCompare(other.code);
  return {
    upstream: made.map(({ id, uuid, code }) => ({ id: kind === 'unifi' ? uuid : id, code })).sort(byCode),
    recorded: recorded.map(({ id, code }) => ({ id: String(id), code: String(code) })).sort(byCode),
    openIntents: Number(intents[0]?.open),
  };
}
