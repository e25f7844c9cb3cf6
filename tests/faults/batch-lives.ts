// Fills batches in one process after another: each process is stopped, or killed at a chosen step, before or after any
// call of a store or of the console. Later calls of a killed process fail, so they have no effect. The time is that of
// the test's clock.

import { randomInt, randomUUID } from 'node:crypto';
import type { OrderedPrint } from '../../src/features/printers/print-job.ts';
import { makeContinueBatches } from '../../src/kernel/batches/create-batch.ts';
import type { Controller, UpstreamOrder, UpstreamVoucher } from '../../src/kernel/controllers/controller.ts';
import { asBatchId, asKeyId, asSiteId, type BatchId, type IntentId } from '../../src/kernel/ids.ts';
import { makeMayOrder } from '../../src/kernel/sites/sites-for.ts';
import { makeCreationUseCases } from '../../src/kernel/vouchers/creation-use-cases.ts';
import { makeSyncUseCases } from '../../src/kernel/vouchers/sync-use-cases.ts';
import { makeWithLease } from '../../src/platform/leases/leases.ts';
import { ok } from '../../src/platform/values/result.ts';
import { engine } from '../support/engine.ts';
import type { TestService } from '../support/test-service.ts';

/** Longer than a lease. */
const AFTER_LEASES_MS = 11_000;
const SETTLED_EVERY_MS = 10_000;

export interface Life {
  /** How many steps the process makes before it is killed. */
  steps: number;
  /** The plan for each order: how the console responds. By default it creates the vouchers. */
  respond?: (make: () => UpstreamVoucher[]) => ReturnType<Controller['createVouchers']>;
  /** Called at the beginning of each pause: true stops the process as planned. */
  stopsAtPause?: () => boolean;
}

export function makeConsole(nowMs: () => number) {
  const vouchers: UpstreamVoucher[] = [];
  return {
    vouchers,
    make(order: UpstreamOrder, count: number): UpstreamVoucher[] {
      const made = Array.from({ length: count }, () => ({
        ...order,
        controllerVoucherId: randomUUID(),
        code: String(randomInt(1e10)).padStart(10, '0') + vouchers.length,
        usedCount: 0,
        createdAtMs: nowMs(),
        firstUsedAtMs: null,
      }));
      vouchers.push(...made);
      return made;
    },
  };
}

export type TestConsole = ReturnType<typeof makeConsole>;

export function makeLives(service: TestService, console: TestConsole) {
  const { beside, clock } = service;

  return {
    async begin(wanted: number, print?: OrderedPrint): Promise<BatchId> {
      const id = asBatchId(randomUUID());
      const limits = { maxUses: 1, expireMinutes: 60, downKbps: 0, upKbps: 0, quotaMb: 0 };
      const order = { siteId: asSiteId(1), name: `Lager ${id}`, ...limits, ...(print && { print }) };
      const apiKeyId = asKeyId(String(service.rows('select id from api_keys')[0]?.id));
      await beside.batches.begin({ id, apiKeyId, order, wanted, createdAtMs: clock.nowMs() });
      return id;
    },

    /** Runs one process until nothing is left to do, it stops, or it is killed. True if it was killed. */
    async live(life: Life): Promise<boolean> {
      const stopping = new AbortController();
      let left = life.steps;
      function step(): void {
        if (left-- <= 0) throw new Error('killed');
      }
      const mortal = <Target extends object>(target: Target): Target =>
        new Proxy(target, {
          get(of, name, receiver) {
            const member = Reflect.get(of, name, receiver);
            if (typeof member !== 'function') return member;
            return async (...given: unknown[]) => {
              step();
              const result = await Reflect.apply(member, of, given);
              step();
              return result;
            };
          },
        });
      const makeController = (real: Controller): Controller => ({
        ...real,
        async createVouchers(order, count) {
          step();
          const make = () => console.make(order, count);
          const made = life.respond ? await life.respond(make) : ok({ vouchers: make() });
          step();
          return made;
        },
        listsAny: async () => ok(true),
        findVouchersNamed: async (names) => ok(console.vouchers.filter(({ name }) => names.has(name))),
      });
      const parts = {
        ...beside,
        vouchers: mortal(beside.vouchers),
        batches: mortal(beside.batches),
        withLease: makeWithLease(mortal(beside.leases)),
        controllerOf: (...site: Parameters<typeof beside.controllerOf>) =>
          makeController(beside.controllerOf(...site)),
        activeIntents: new Set<IntentId>(),
        leftIntents: new Set<IntentId>(),
      };
      if (engine === 'sqlite') {
        await beside.leases.releaseAll();
        for (const { id } of await beside.vouchers.listIntents()) parts.leftIntents.add(id);
      } else clock.advance(AFTER_LEASES_MS);
      const { settleIntents } = makeSyncUseCases(parts);
      const settle = () => settleIntents(stopping.signal).catch(() => {});
      await settle();
      let settledAtMs = clock.nowMs();
      const continueBatches = makeContinueBatches({
        ...parts,
        mayOrder: makeMayOrder(parts),
        ...makeCreationUseCases(parts, { timeZone: 'Europe/Berlin' }),
        stopping: stopping.signal,
        async pause(ms) {
          if (life.stopsAtPause?.()) return stopping.abort();
          clock.advance(ms);
          if (clock.nowMs() - settledAtMs < SETTLED_EVERY_MS) return;
          settledAtMs = clock.nowMs();
          await settle();
        },
      });
      const filling = await continueBatches().catch(() => []);
      await Promise.allSettled(filling);
      return left < 0;
    },
  };
}
