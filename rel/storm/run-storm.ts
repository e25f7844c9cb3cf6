// A storm: everything that Gastpass does, at the same time and on two instances, while instances are killed, PostgreSQL
// is restarted, and consoles and the mail server fail. Called by `npm run rel -- storm`; the long tier runs a short
// version.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../../packages/unifi-console/src/index.ts';
import { startPostgres } from '../../tests/support/postgres-server.ts';
import { chanceOf } from '../chance-of.ts';
import { auditStorm } from './audit-storm.ts';
import { type Ledger, runCallers, type Storm } from './callers.ts';
import { openWorld } from './world.ts';

const INSTANCES = 2;
const CONSOLE_FAULT_EVERY_MS = 700;
const SHOWN = 30;
/** After the storm. Longer than an order with an unknown outcome stays open once nothing fails any more. */
const PATIENCE_MS = 240_000;

const CONSOLE_FAULTS: Fault[] = [
  { kind: 'status', status: 503, match: 'create' },
  { kind: 'status', status: 500, match: 'create', times: 2 },
  { kind: 'restarting', times: 3 },
  { kind: 'redirect', match: 'create' },
  { kind: 'rate-limited', retryAfterS: 1 },
  { kind: 'cut-before-write', match: 'create' },
  { kind: 'cut-after-write', match: 'create', times: 2 },
  { kind: 'hang-after-write', match: 'create' },
  { kind: 'late-creation', match: 'create', ms: 15_000, ending: 'cut' },
  { kind: 'late-answer', match: 'create', ms: 3_000 },
  { kind: 'empty', match: 'create' },
  { kind: 'truncated-json' },
  { kind: 'html', match: 'list' },
  { kind: 'cut-after-write', match: 'delete' },
  { kind: 'session-expired' },
];

export interface StormOptions {
  seconds: number;
  kills: number;
  restarts: number;
  seed: number;
}

export interface StormReport extends Pick<Ledger, 'answers'> {
  acknowledged: number;
  vouchers: number;
  mails: number;
  slips: number;
  consoleFaults: number;
  faults: string[];
}

/** True if no fault was found. */
export async function runStorm(options: StormOptions): Promise<boolean> {
  const { answers, faults, ...counts } = await storm(options);
  console.table({ ...options, ...counts });
  console.table(answers);
  for (const fault of faults.slice(0, SHOWN)) console.log(`BAD   ${fault}`);
  console.log(
    faults.length === 0
      ? 'good  0 violations: what was acknowledged, what the consoles have and what is recorded are the same'
      : `BAD   ${faults.length} violations`,
  );
  return faults.length === 0;
}

export async function storm(options: StormOptions): Promise<StormReport> {
  const server = await startPostgres();
  process.once('exit', server.stop);
  process.env.TEST_DATABASE_URL = server.url;
  const world = await openWorld(INSTANCES, options.seed);
  const ledger: Ledger = {
    codes: new Map(),
    shown: [],
    kioskOrders: 0,
    revoking: new Set(),
    revoked: new Set(),
    batches: [],
    answers: {},
    windows: new Map(),
    faults: [],
  };
  let overAtMs: number | undefined;
  const running: Storm = {
    world,
    ledger,
    seed: options.seed,
    isOver: () => overAtMs !== undefined,
    hasPatience: () => overAtMs === undefined || performance.now() < overAtMs + PATIENCE_MS,
  };
  try {
    const calling = runCallers(running);
    // Prevents an unhandled rejection; `await calling` below throws the same error.
    calling.catch(() => {});
    const consoles = failConsoles(running);
    await Promise.all([killInstances(running, options), restartDatabase(server.restart, options)]);
    overAtMs = performance.now();
    const consoleFaults = await consoles;
    await calling;
    const faults = await auditStorm(world, ledger);
    const [{ n } = { n: 0 }] = await world.database.rows('select count(*) as n from vouchers');
    return {
      acknowledged: ledger.codes.size + ledger.shown.length,
      vouchers: Number(n),
      mails: world.mailServer.book.arrivals.length,
      slips: world.printer.slips.length,
      consoleFaults,
      answers: Object.fromEntries(Object.entries(ledger.answers).sort()),
      faults,
    };
  } finally {
    await world.stop();
    server.stop();
  }
}

/** One kill after the other, at a random moment of each stretch of time. */
async function killInstances({ world }: Storm, { seconds, kills, seed }: StormOptions): Promise<void> {
  const startedAt = performance.now();
  const stretchMs = (seconds * 1_000) / kills;
  for (let kill = 0; kill < kills; kill++) {
    await untilTime(startedAt + stretchMs * (kill + chanceOf(`${seed} kill ${kill}`)));
    await world.replace(kill % INSTANCES);
  }
  await untilTime(startedAt + seconds * 1_000);
}

async function restartDatabase(
  restart: (how: 'crash' | 'in order', awayMs?: number) => Promise<void>,
  { seconds, restarts, seed }: StormOptions,
): Promise<void> {
  const startedAt = performance.now();
  for (let turn = 0; turn < restarts; turn++) {
    await untilTime(startedAt + (seconds * 1_000 * (turn + 1)) / (restarts + 1));
    await restart(turn % 2 === 0 ? 'crash' : 'in order', chanceOf(`${seed} restart ${turn}`) * 3_000);
  }
}

async function failConsoles({ world, seed, isOver }: Storm): Promise<number> {
  let count = 0;
  for (; !isOver(); count++) {
    const { console } = chosen(world.sites, `${seed} console ${count}`);
    console.controls.setFault(chosen(CONSOLE_FAULTS, `${seed} fault ${count}`));
    await sleep(CONSOLE_FAULT_EVERY_MS);
  }
  for (const { console } of world.sites) console.controls.resetFaults();
  return count;
}

function chosen<Item>(items: readonly Item[], words: string): Item {
  const item = items[Math.floor(chanceOf(words) * items.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
}

const untilTime = (at: number) => sleep(Math.max(0, at - performance.now()));
