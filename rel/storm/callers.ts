// The callers of a storm. Each works like a real client: it repeats the requests that may be repeated, with the same
// Idempotency-Key, and notes what it was promised.

import { setTimeout as sleep } from 'node:timers/promises';
import { makeHandOutUseCases } from '../../src/features/reserve/hand-out-use-cases.ts';
import { TESTER } from '../../tests/support/actors.ts';
import { deviceOf, hiddenFieldsOf } from '../../tests/support/kiosk.ts';
import { callApi } from '../../tests/support/run-gastpass.ts';
import { chanceOf } from '../chance-of.ts';
import type { PacedService } from '../paced-service.ts';
import { type StormSite, stubborn, type World } from './world.ts';

export const LIMIT = 30;
const BATCH_SIZE = 20;
const RETRY_PAUSE_MS = 250;
const MAX_RETRY_PAUSE_MS = 2_000;
const CALL_TIME_OUT_MS = 40_000;

export interface Batch {
  id: string;
  name: string;
  wanted: number;
  state: string;
}

/** What the callers were told. */
export interface Ledger {
  /** The codes that callers got, by the name of their order, which is unique. */
  codes: Map<string, string>;
  /** The codes that were shown at kiosks and handed out from the reserve. */
  shown: string[];
  kioskOrders: number;
  /** The names of the orders whose vouchers are to be revoked, and of those whose revocation was confirmed. */
  revoking: Set<string>;
  revoked: Set<string>;
  batches: Batch[];
  /** Responses counted by caller and status. */
  answers: Record<string, number>;
  /** Accepted requests of the limited key, by the end of their window. */
  windows: Map<number, number>;
  faults: string[];
}

export interface Storm {
  world: World;
  ledger: Ledger;
  seed: number;
  isOver(): boolean;
  /**
   * Whether callers still wait for a final outcome. While instances are killed, an order may stay open for any time.
   */
  hasPatience(): boolean;
}

type Reply = Awaited<ReturnType<typeof callApi>>;
type Call = Omit<Parameters<typeof callApi>[1], 'key'>;
type Caller = (storm: Storm, number: number) => Promise<void>;

const CALLERS: [Caller, number][] = [
  [orderByContract, 12],
  [orderAndRevoke, 8],
  [orderBatches, 4],
  [tapKiosk, 4],
  [handOutReserve, 2],
  [exhaustLimit, 2],
];

/** 32 callers. Resolves once the storm is over and every caller knows the outcome of its last order. */
export async function runCallers(storm: Storm): Promise<void> {
  const callers = CALLERS.flatMap(([run, count]) => Array.from({ length: count }, () => run));
  await Promise.all(callers.map((run, number) => run(storm, number)));
}

async function orderByContract(storm: Storm, number: number): Promise<void> {
  const { world, ledger } = storm;
  const key = await world.issueKey('write');
  for (let turn = 0; !storm.isOver(); turn++) {
    const name = `vertrag-${number}-${turn}`;
    const { siteId, printerId } = siteOf(storm, number + turn);
    const headers = {
      'idempotency-key': name,
      ...(turn % 4 === 0 && { 'guest-email': `${name}@example.org` }),
      ...(turn % 6 === 0 && { 'guest-print': String(printerId) }),
    };
    const order = { headers, body: { site_id: siteId, name } };
    const made = await persist(storm, key, 'contract', order);
    if (made?.status !== 201) continue;
    ledger.codes.set(name, made.json.code);
    if (turn % 3 > 0) continue;
    const again = await persist(storm, key, 'contract', order);
    if (again?.json.code !== made.json.code) ledger.faults.push(`${name}: repeated, it got another code`);
    const list = await persist(storm, key, 'contract', { path: `vouchers.php?site_id=${siteId}` });
    if (!JSON.stringify(list?.json).includes(made.json.code) && !(await isBeyondList(storm, name)))
      ledger.faults.push(`${name}: the next list (${list?.status}) does not have it`);
  }
}

/** The list of the contract has only the newest 200 vouchers of a site, by the time at which the console made them. */
async function isBeyondList({ world }: Storm, name: string): Promise<boolean> {
  const newer = `select count(*) as n from vouchers v join vouchers mine on mine.site_id = v.site_id
    and (v.created_at_s, v.id) > (mine.created_at_s, mine.id) where mine.name like $1`;
  const rows = await stubborn(() => world.database.rows(newer, `%_${name}`));
  return Number(rows[0]?.n) >= 200;
}

async function orderAndRevoke(storm: Storm, number: number): Promise<void> {
  const { world, ledger, seed } = storm;
  const key = await world.issueKey('write');
  for (let turn = 0; !storm.isOver(); turn++) {
    const name = `buchung-${number}-${turn}`;
    const { siteId: site } = siteOf(storm, number + turn);
    const email = turn % 2 === 0 ? { email: `${name}@example.org` } : {};
    const order = {
      path: 'v1/vouchers',
      headers: { 'idempotency-key': name },
      body: { site, name, reference: name, ...email },
    };
    const made = await persist(storm, key, 'v1', order);
    const voucher = made?.json.vouchers?.[0];
    if (made?.status !== 201) continue;
    ledger.codes.set(name, voucher.code);
    if (turn % 3 > 0) continue;
    await sleep(chanceOf(`${seed} ${name}`) * 1_000);
    ledger.revoking.add(name);
    const revoke: Call = { path: `v1/vouchers/${voucher.id}/revoke`, method: 'POST' };
    const revoked = await persist(storm, key, 'revoke', revoke);
    if (revoked?.status === 200) ledger.revoked.add(name);
  }
}

async function orderBatches(storm: Storm, number: number): Promise<void> {
  const { world, ledger } = storm;
  for (let turn = 0; !storm.isOver(); turn++) {
    // A key may order 500 mails in an hour.
    const key = await world.issueKey('write');
    const name = `gruppe-${number}-${turn}`;
    const { siteId: site, printerId: print } = siteOf(storm, number + turn);
    const body = { site, name, count: BATCH_SIZE, email: `${name}@example.org`, print };
    const headers = { 'idempotency-key': name };
    const ordered = await persist(storm, key, 'batch', { path: 'v1/vouchers', headers, body });
    if (ordered?.status !== 202) continue;
    const batch: Batch = {
      id: ordered.json.batch.id,
      name,
      wanted: BATCH_SIZE,
      state: 'running',
    };
    ledger.batches.push(batch);
    await untilBatchEnds(storm, key, batch);
  }
}

/** Resumes a batch that has failed, as its problem advises. */
async function untilBatchEnds(storm: Storm, key: string, batch: Batch): Promise<void> {
  while (batch.state !== 'done' && storm.hasPatience()) {
    await sleep(RETRY_PAUSE_MS);
    const path = `v1/batches/${batch.id}`;
    if (batch.state === 'failed')
      await persist(storm, key, 'resume', { path: `${path}/resume`, method: 'POST' });
    const found = await persist(storm, key, 'batch', { path });
    if (found?.status !== 200) continue;
    batch.state = found.json.state;
  }
}

async function tapKiosk(storm: Storm, number: number): Promise<void> {
  const { world, ledger } = storm;
  const cookie = await world.openKiosk(siteOf(storm, number).siteId);
  while (!storm.isOver()) {
    await sleep(RETRY_PAUSE_MS);
    const form = await retried(storm, 'kiosk', ({ url }) => deviceOf(url, cookie).send('/screen'));
    if (form?.status !== 200) continue;
    const fields = { ...hiddenFieldsOf(form), profile: 'standard' };
    ledger.kioskOrders++;
    const ordered = await retried(storm, 'kiosk', ({ url }) => deviceOf(url, cookie).post(fields));
    const { location } = ordered ?? {};
    if (!location) continue;
    const result = await retried(storm, 'kiosk', ({ url }) => deviceOf(url, cookie).send(location));
    const code = /\b\d{5}-\d{5}\b/.exec(result?.text ?? '')?.[0];
    if (code) ledger.shown.push(code.replace('-', ''));
  }
}

/** Hands reserve vouchers out as a command beside the services does. */
async function handOutReserve(storm: Storm, number: number): Promise<void> {
  const { world, ledger } = storm;
  const reserve = makeHandOutUseCases(world.beside, { timeZone: 'Europe/Berlin' });
  for (let turn = 0; !storm.isOver(); turn++) {
    await sleep(MAX_RETRY_PAUSE_MS);
    const { siteId } = siteOf(storm, turn);
    const name = `reserve-${number}-${turn}`;
    const given = await reserve.handOutReserve({ siteId, name }, { actor: TESTER }).catch(() => undefined);
    note(storm, 'reserve', given === undefined ? 'cut off' : given.ok ? 'given' : given.problem.kind);
    if (given?.ok) ledger.shown.push(given.value.code);
  }
}

async function exhaustLimit(storm: Storm): Promise<void> {
  const { ledger } = storm;
  const key = await limitedKey(storm);
  while (!storm.isOver()) {
    const reply = await callOne(storm, key, { path: 'sites.php' });
    note(storm, 'limited', reply?.status ?? 'cut off');
    const endsAtS = Number(reply?.headers.get('x-ratelimit-reset'));
    if (reply?.status === 200) ledger.windows.set(endsAtS, (ledger.windows.get(endsAtS) ?? 0) + 1);
    await sleep(RETRY_PAUSE_MS);
  }
}

const limitedKeys = new WeakMap<World, Promise<string>>();

/** The callers with a limit share one key. */
function limitedKey({ world }: Storm): Promise<string> {
  const known = limitedKeys.get(world) ?? world.issueKey('read', LIMIT);
  limitedKeys.set(world, known);
  return known;
}

/** Repeats a call until its outcome is final, as the headers of the response advise. */
async function persist(storm: Storm, key: string, caller: string, call: Call): Promise<Reply | undefined> {
  for (;;) {
    const reply = await callOne(storm, key, call);
    note(storm, caller, reply?.status ?? 'cut off');
    const isFinal = reply && (reply.status < 400 || !mayRepeat(reply));
    if (isFinal) return reply;
    if (!storm.hasPatience()) {
      storm.ledger.faults.push(
        `${caller}: ${JSON.stringify(call)} never ended: ${JSON.stringify(reply?.json)}`,
      );
      return undefined;
    }
    await sleep(pauseAfter(reply));
  }
}

const mayRepeat = ({ status, headers }: Reply) =>
  status === 409 || status === 429 || (status >= 500 && headers.get('gastpass-retry') !== 'no');

function pauseAfter(reply: Reply | undefined): number {
  const askedMs = Number(reply?.headers.get('retry-after') ?? 0) * 1_000;
  return Math.min(MAX_RETRY_PAUSE_MS, Math.max(RETRY_PAUSE_MS, askedMs));
}

/** Undefined if the connection was cut. */
function callOne(storm: Storm, key: string, call: Call): Promise<Reply | undefined> {
  const service = pick(storm);
  return service ? callApi(service, { key, ...call }).catch(() => undefined) : Promise.resolve(undefined);
}

/** Repeats a request of a page that was cut off or met a failing service. */
async function retried<Page extends { status: number }>(
  storm: Storm,
  caller: string,
  send: (service: PacedService) => Promise<Page>,
): Promise<Page | undefined> {
  const giveUpAt = performance.now() + CALL_TIME_OUT_MS;
  for (;;) {
    const service = pick(storm);
    const page = service && (await send(service).catch(() => undefined));
    note(storm, caller, page?.status ?? 'cut off');
    if (page && page.status < 500) return page;
    if (performance.now() > giveUpAt) return undefined;
    await sleep(RETRY_PAUSE_MS);
  }
}

function pick({ world }: Storm): PacedService | undefined {
  const running = world.services.filter((service) => service.isRunning());
  return running[Math.floor(Math.random() * running.length)];
}

function siteOf({ world }: Storm, number: number): StormSite {
  const site = world.sites[number % world.sites.length];
  if (!site) throw new Error('a storm without sites');
  return site;
}

function note({ ledger }: Storm, caller: string, answer: string | number): void {
  const name = `${caller} ${answer}`;
  ledger.answers[name] = (ledger.answers[name] ?? 0) + 1;
}
