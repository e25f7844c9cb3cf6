// One simulated instance of the service: the real use cases, whose messages to the store and the controller take time.
// Its clock is wrong by minutes, its database responds late or not at all, and it may die at any moment.

import type { Controller } from '../../src/kernel/controllers/controller.ts';
import { asSiteId, type IntentId } from '../../src/kernel/ids.ts';
import { DEFAULT_SETTINGS } from '../../src/kernel/settings/settings.ts';
import { makeCreateVoucher, makeCreateVouchers } from '../../src/kernel/vouchers/create-vouchers.ts';
import { makeSettleIntents } from '../../src/kernel/vouchers/settle-intents.ts';
import { makeSyncSite } from '../../src/kernel/vouchers/sync-site.ts';
import type { UsageStore } from '../../src/kernel/vouchers/usage-records.ts';
import type { VoucherStore } from '../../src/kernel/vouchers/voucher-records.ts';
import type { Log } from '../../src/platform/log/log.ts';
import { DatabaseUnavailable } from '../../src/platform/values/database-unavailable.ts';
import type { ModelController } from './model-controller.ts';
import type { ModelStore } from './model-store.ts';
import { type Process, send, type World, wakeUp } from './world.ts';

export const SITE = {
  id: asSiteId(1),
  name: 'Haus A',
  active: true,
  controllerKind: 'simulator' as const,
  controllerSite: 'default',
  connection: null,
  importsForeign: true,
  checkOut: '11:00',
  timeZone: null,
  hasGuestPage: false,
  replyTo: null,
};

const quiet = () => {};
const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet, isLevelEnabled: () => false };

export type Instance = ReturnType<typeof startInstance>;

interface Deps {
  world: World;
  store: ModelStore;
  controller: ModelController;
  process: Process;
  skewMs: number;
  databaseFails: () => boolean;
  /** Intents that are open when the only instance starts: the requests that opened them are dead. */
  leftIntents: ReadonlySet<IntentId>;
}

export function startInstance(inputs: Deps) {
  const { world, store, controller, process, skewMs, databaseFails, leftIntents } = inputs;

  /** One transaction, which takes effect at one moment. The database may fail before or after that moment. */
  function ask<Value>(effect: () => Value): Promise<Value> {
    const trip = { there: world.between(0, 20), back: world.between(0, 20) };
    const failsBefore = databaseFails();
    const failsAfter = databaseFails();
    return send(world, process, trip, () => {
      if (failsBefore) throw new DatabaseUnavailable(new Error('away'));
      const value = effect();
      if (failsAfter) throw new DatabaseUnavailable(new Error('gone'));
      return value;
    });
  }

  const vouchers: VoucherStore = {
    findResponse: (ticket) => ask(() => store.findResponse(ticket)),
    readNowMs: () => ask(() => store.readNowMs()),
    begin: (intent, options) => ask(() => store.begin(intent, options)),
    record: (intents, candidates) => ask(() => store.record(intents, candidates)),
    recover: (intents, candidates) => ask(() => store.recover(intents, candidates)),
    abandon: (intents) => ask(() => store.abandon(intents)),
    listIntents: () => ask(store.listIntents),
    countIntents: () => ask(store.openIntents),
    listVersion: async () => undefined,
    onListChange: () => {},
    listNewest: async () => [],
    addNotedChanges: async () => {},
    forgetOldResponses: async () => 0,
  };
  const usage: UsageStore = {
    newestId: () => ask(store.newestId),
    findKnown: (_site, ids) => ask(() => store.findKnown(ids)),
    readExpected: (_site, afterId, limit) => ask(() => store.readExpected(afterId, limit)),
    sampleExpected: () => ask(store.sampleExpected),
    change: (_site, changes) => ask(() => store.change(changes)),
    importForeign: (_site, foreign) => ask(() => store.importForeign(foreign)),
    // No voucher was moved in, so none lacks the controller's id.
    adopt: async () => {},
  };

  function timeout(ms: number): AbortSignal {
    const over = new AbortController();
    wakeUp(world, process, ms, () => over.abort('over'));
    return over.signal;
  }

  const driver: Controller = controller.connect(process);
  const deps = {
    sites: { find: async () => SITE, findActive: async () => SITE },
    vouchers,
    usage,
    // Nothing is made ahead.
    stock: {
      list: async () => [],
      identify: async () => {},
      recordUsed: async () => {},
      markMissing: async () => {},
      markFound: async () => {},
    },
    syncs: { readTimeMs: async () => 0, noteSuccess: async () => {}, noteFailure: async () => {} },
    settings: { read: async () => DEFAULT_SETTINGS },
    controllerOf: () => driver,
    activeIntents: new Set<never>(),
    leftIntents,
    nextSearch: { leftS: () => 1 },
    clock: { nowMs: () => world.nowMs() + skewMs },
    timeout,
    monotonicMs: () => world.nowMs(),
    startDeadline(ms: number) {
      const endsAtMs = world.nowMs() + ms;
      const leftMs = () => endsAtMs - world.nowMs();
      return { signal: timeout(ms), leftMs, [Symbol.dispose]() {} };
    },
    // A lease only avoids duplicate work: correctness must not depend on it.
    withLease: <Value>(_name: string, signal: AbortSignal, job: (signal: AbortSignal) => Promise<Value>) =>
      job(signal),
    timeZone: 'UTC',
    log,
    observe: () => {},
    observeFailure: () => {},
    noteFailedOrder: async () => {},
    findOutdated: async () => undefined,
    ways: [],
  };
  const settleIntents = makeSettleIntents(deps);
  return {
    createVoucher: makeCreateVoucher(deps),
    createVouchers: makeCreateVouchers(deps),
    settleIntents: () => settleIntents(new AbortController().signal),
    syncSite: makeSyncSite({ ...deps, settleIntents }),
  };
}
