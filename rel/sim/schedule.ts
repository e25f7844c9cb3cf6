// One schedule: a few requests, one or two instances that fail, recover and settle, and a controller that misbehaves,
// in an order that the seed decides. Then all failures stop, and the records are compared with the controller's
// vouchers.

import type { VoucherLimits } from '../../src/kernel/controllers/controller.ts';
import { asKeyId } from '../../src/kernel/ids.ts';
import type { Creation } from '../../src/kernel/vouchers/create-vouchers.ts';
import { fail, ok, type Result } from '../../src/platform/values/result.ts';
import { actorOf } from '../../tests/support/actors.ts';
import { type Instance, SITE, startInstance } from './instance.ts';
import { type ModelController, makeModelController } from './model-controller.ts';
import { type ModelStore, makeModelStore } from './model-store.ts';
import { makeWorld, type Process, type World } from './world.ts';

const BUSY_MS = 90_000;
const END_MS = 400_000;
const SETTLE_EVERY_MS = 30_000;
const MAX_BATCH = 4;
/** In one of so many schedules there is only one instance, as on SQLite. */
const SOLE_EVERY = 4;
const NAMES = ['Zimmer 12', 'Zimmer 12', 'Zimmer 13'];

/** Removes a safeguard, to show that the schedules detect its absence. */
export type Weaken = (store: ModelStore) => ModelStore;

export interface Schedule {
  world: World;
  /** Empty if nothing was lost, duplicated or orphaned. Call it after the last event. */
  verdict(): string[];
}

export function makeSchedule(seed: number, weaken: Weaken = (store) => store): Schedule {
  const world = makeWorld(seed);
  const controller = makeModelController(world);
  const gone: string[] = [];
  const model = makeModelStore(world);
  const store = weaken({
    ...model,
    change(changes) {
      // No voucher is ever deleted here: marking a voucher as gone, even for a minute, is a fault.
      for (const { id, endedAtS } of changes) if (endedAtS !== null) gone.push(`${id} was called gone`);
      model.change(changes);
    },
  });
  const responses: Creation[] = [];
  // In one schedule, instances either freeze or die. No safeguard covers a process that sleeps past its own deadline
  // and then dies before it can report that.
  const freezes = world.once(4);
  let busy = true;
  const databaseFails = () => busy && world.once(60);

  let last = (): Instance => {
    throw new Error('no instance was started');
  };
  const isSole = seed % SOLE_EVERY === 0;
  for (let index = 0; index < (isSole ? 1 : 2); index++) {
    let process: Process = { alive: true, frozenUntilMs: 0 };
    let instance = start();
    last = () => instance;

    function start(): Instance {
      const skewMs = world.between(-600_000, 600_000);
      process = { alive: true, frozenUntilMs: 0 };
      const leftIntents = new Set(isSole ? store.listIntents().map(({ id }) => id) : []);
      return startInstance({ world, store, controller, process, skewMs, databaseFails, leftIntents });
    }
    function upset(): void {
      if (freezes) process.frozenUntilMs = world.nowMs() + world.between(1_000, 120_000);
      else {
        process.alive = false;
        world.after(world.between(500, 60_000), () => {
          instance = start();
          if (isSole) instance.settleIntents().catch(() => {});
        });
      }
    }

    const requests = world.between(1, 3);
    for (let count = 0; count < requests; count++)
      world.after(world.between(0, BUSY_MS / 2), () => request(world, () => instance, responses));
    if (world.once(2)) world.after(world.between(0, BUSY_MS), upset);
    for (let atMs = world.between(0, SETTLE_EVERY_MS); atMs < END_MS; atMs += SETTLE_EVERY_MS)
      world.after(atMs, () => {
        const turn = world.once(3)
          ? instance.syncSite(SITE, new AbortController().signal)
          : instance.settleIntents();
        turn.catch(() => {});
      });
  }
  world.after(END_MS, () => void last().syncSite(SITE, new AbortController().signal));
  if (world.once(3)) world.after(world.between(0, BUSY_MS), controller.makeForeign);
  world.after(BUSY_MS, () => {
    busy = false;
    controller.heal();
  });

  return { world, verdict: () => [...gone, ...findFaults(controller, store, responses)] };
}

let callers = 0;

/** A caller that sometimes repeats the request under an Idempotency-Key until it succeeds, at most five times. */
async function request(world: World, instance: () => Instance, responses: Creation[]): Promise<void> {
  const name = NAMES[world.between(0, NAMES.length - 1)] ?? '';
  const limits = { maxUses: 1, expireMinutes: 60, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const caller = `caller ${++callers}`;
  if (world.once(4)) return requestBatch(world, instance, { name, limits, caller, answers: responses });
  const ticket = world.once(3) ? { apiKeyId: asKeyId('key'), key: caller, bodyHash: name } : undefined;
  for (let tries = 0; tries < (ticket ? 5 : 1); tries++) {
    const response = await instance()
      .createVoucher(
        { siteId: SITE.id, name, ...limits },
        { actor: actorOf(caller), keySites: 'all' },
        ticket,
      )
      .catch((): Result<never, { kind: 'site-not-found' }> => fail({ kind: 'site-not-found' }));
    responses.push(response);
    if (response.ok) return;
    await new Promise<void>((resolve) => world.after(world.between(1_000, 40_000), resolve));
  }
}

/** A caller that orders several equal vouchers at once. */
async function requestBatch(
  world: World,
  instance: () => Instance,
  {
    name,
    limits,
    caller,
    answers: responses,
  }: { name: string; limits: VoucherLimits; caller: string; answers: Creation[] },
): Promise<void> {
  const count = world.between(2, MAX_BATCH);
  const order = { siteId: SITE.id, name, ...limits };
  const { created } = await instance()
    .createVouchers(order, count, { actor: actorOf(`${caller}, batch of ${count}`) })
    .catch(() => ({ created: [] }));
  for (const voucher of created) responses.push(ok({ ...voucher, replayed: false, freed: false }));
}

/** The maximum number of vouchers that may be recorded for a request. */
const allowedFor = (source: string) => Number(/batch of (\d+)$/.exec(source)?.[1] ?? 1);

function findFaults(controller: ModelController, store: ModelStore, responses: Creation[]): string[] {
  const faults: string[] = [];
  const recorded = new Map(store.rows.map((row) => [row.controllerVoucherId, row]));
  const codes = store.rows.map(({ code }) => code);
  if (new Set(codes).size !== codes.length) faults.push('a voucher is on record twice');

  for (const { controllerVoucherId, name } of controller.vouchers) {
    const row = recorded.get(controllerVoucherId ?? '');
    const isForeign = name === 'made by others';
    if (!row) faults.push(`orphaned: ${controllerVoucherId} (${name}) is not on record`);
    else if (isForeign !== (row.source === null))
      faults.push(`${controllerVoucherId} is under the wrong name`);
  }
  if (recorded.size > controller.vouchers.length) faults.push('more on record than were made');

  const given = responses.filter((response) => response.ok && !response.value.replayed).map(codeOf);
  if (new Set(given).size !== given.length) faults.push('doubled: one code was given to two callers');
  for (const code of responses.filter(({ ok }) => ok).map(codeOf))
    if (!codes.includes(code)) faults.push(`lost: ${code} was given out and is not on record`);

  const sources = store.rows.map(({ source }) => source).filter((source) => source !== null);
  for (const [source, { length }] of Map.groupBy(sources, (source) => source).entries())
    if (length > allowedFor(source)) faults.push(`doubled: ${source} has ${length} vouchers`);
  if (store.openIntents() > 0) faults.push(`${store.openIntents()} intents are still open`);
  if (store.announced() !== sources.length) faults.push('not announced once each');
  return faults;
}

const codeOf = (response: Creation): string => (response.ok ? response.value.code : '');
