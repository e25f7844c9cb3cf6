// Wires the rooms together; the only file that knows them all. `openInstallation` is what the command
// line works with; `startService` adds the HTTP server and the background work on top of it.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './config/config.ts';
import { makeControllers } from './controllers/controller-of.ts';
import { type Clock, systemClock } from './domain/clock.ts';
import type { IntentId } from './domain/ids.ts';
import { makeIssueKey } from './domain/keys/issue-key.ts';
import { makeVerifyKey } from './domain/keys/verify-key.ts';
import { makeWithLease } from './domain/leases.ts';
import { makeSetUp, type SetUpReport } from './domain/set-up.ts';
import { makeCreateVoucher } from './domain/vouchers/create-voucher.ts';
import { makeListVouchers } from './domain/vouchers/list-vouchers.ts';
import { makeSettleIntents, type SettleTally } from './domain/vouchers/settle-intents.ts';
import { makeSyncSite } from './domain/vouchers/sync-site.ts';
import { makeKeyed } from './http/check-key.ts';
import { drain, listen } from './http/listen.ts';
import { makeOpenapiScript } from './http/openapi-script.ts';
import { makeOperations } from './http/operations.ts';
import { makeServer } from './http/server.ts';
import { makeSitesScript } from './http/sites-script.ts';
import { makeVoucherListCache } from './http/voucher-list-cache.ts';
import { makeVouchersScript } from './http/vouchers-script.ts';
import { type AppLog, makeLog } from './observe/log.ts';
import { makeMetrics } from './observe/metrics.ts';
import { makeFindObstacles } from './observe/readiness.ts';
import { makeMemoryRateCounter } from './storage/memory-rate-counter.ts';
import { openStorage } from './storage/open-storage.ts';
import { lockForService } from './storage/service-lock.ts';
import { makeSharedRateCounter } from './storage/shared-rate-counter.ts';
import {
  makeControllerSessions,
  makeInstallationStore,
  makeKeyStore,
  makeLeaseStore,
  makeSiteStore,
  makeUserStore,
  makeWriteProbe,
} from './storage/stores.ts';
import { makeSyncStore, makeUsageStore } from './storage/usage-store.ts';
import { makeVoucherStore } from './storage/voucher-store.ts';
import { makeCleanUpTurn } from './workers/clean-up.ts';
import { makeLastUsed } from './workers/last-used.ts';
import { startLoop } from './workers/loop.ts';
import { makeSettleTurn } from './workers/settle.ts';
import { startSyncLoops } from './workers/sync.ts';

const PAUSE_AFTER_FAILURE_MS = 10_000;
const SET_UP_WAIT_MS = 200;

export { meetController } from './controllers/upstream/meet.ts';
export { moveInstallation } from './storage/move/move-installation.ts';
export type Installation = Awaited<ReturnType<typeof openInstallation>>;

export async function openInstallation(config: Config, clock: Clock = systemClock) {
  const { database, seal } = await openStorage(config, clock);
  const controllers = makeControllers({
    dataDir: config.dataDir,
    clock,
    sessions: makeControllerSessions(database, seal),
  });
  const keys = makeKeyStore(database);
  const sites = makeSiteStore(database, seal);
  const users = makeUserStore(database);
  const vouchers = makeVoucherStore(database);

  return {
    clock,
    timeout: (ms: number) => AbortSignal.timeout(ms),
    keys,
    sites,
    users,
    vouchers,
    usage: makeUsageStore(database),
    syncs: makeSyncStore(database),
    controllerOf: controllers.controllerOf,
    underWay: new Set<IntentId>(),
    rateCounter: config.database ? makeSharedRateCounter(database) : makeMemoryRateCounter(clock),
    withLease: makeWithLease(makeLeaseStore(database)),
    probeWrite: makeWriteProbe(database, clock),
    changeStamp: database.changeStamp,
    issueKey: makeIssueKey({ keys, clock }),
    setUp: makeSetUp({ installation: makeInstallationStore(database, seal), clock }),
    async close() {
      await controllers.close();
      await database.close();
    },
  };
}

interface UpkeepParts {
  log?: AppLog;
  observeSettled?: (tally: SettleTally) => void;
}

/** What keeps our records and the controllers in step. */
export function makeUpkeep(
  installation: Installation,
  { log = makeLog('silent'), observeSettled = () => {} }: UpkeepParts = {},
) {
  const settleIntents = makeSettleIntents({ ...installation, log, observe: observeSettled });
  return { settleIntents, syncSite: makeSyncSite({ ...installation, settleIntents }) };
}

export interface Service {
  url: string;
  firstStart: SetUpReport;
  log: AppLog;
  /** Finishes what is under way, then closes everything in reverse order. */
  stop(): Promise<void>;
}

export interface ServiceParts {
  clock?: Clock;
  log?: AppLog;
}

export async function startService(config: Config, parts: ServiceParts = {}): Promise<Service> {
  const { clock = systemClock, log = makeLog(config.logLevel) } = parts;
  // Before the database is opened: a newer release must not migrate it under a running service.
  const release = config.database ? () => {} : lockForService(config.dataDir);
  let installation: Installation | undefined;
  try {
    installation = await openInstallation(config, clock);
    return await serve({ config, installation, log, release });
  } catch (error) {
    await installation?.close();
    release();
    throw error;
  }
}

/** Of several instances that start together one sets up, and the others find it done. */
async function setUpOnce({ withLease, setUp }: Installation, config: Config): Promise<SetUpReport> {
  for (;;) {
    const report = await withLease('set-up', new AbortController().signal, () => setUp(config));
    if (report) return report;
    await sleep(SET_UP_WAIT_MS);
  }
}

interface Serving {
  config: Config;
  installation: Installation;
  log: AppLog;
  release: () => void;
}

async function serve({ config, installation, log, release }: Serving): Promise<Service> {
  const { clock, keys, sites, vouchers } = installation;
  const metrics = makeMetrics({
    countOpenIntents: vouchers.countIntents,
    listSyncs: installation.syncs.list,
  });
  const lastUsed = makeLastUsed(keys);
  let draining = false;

  const keyed = makeKeyed({
    verifyKey: makeVerifyKey({ keys, lastUsed, clock }),
    rateCounter: installation.rateCounter,
    lastUsed,
    changeStamp: installation.changeStamp,
    clock,
  });
  const listAnswer = makeVoucherListCache({
    listVersion: vouchers.listVersion,
    listVouchers: makeListVouchers(vouchers),
    clock,
  });
  const { basePath, timeZone } = config;
  const createVoucher = makeCreateVoucher({ ...installation, timeZone });
  const isDraining = () => draining;

  const server = makeServer({
    log,
    trustedProxies: config.trustedProxies,
    observeRequest: metrics.observeRequest,
    isDraining,
    scripts: {
      [`${basePath}/sites.php`]: keyed(makeSitesScript(sites)),
      [`${basePath}/vouchers.php`]: keyed(makeVouchersScript({ listAnswer, createVoucher, log })),
      [`${basePath}/openapi.php`]: makeOpenapiScript(basePath),
      ...makeOperations({
        findObstacles: makeFindObstacles({ isDraining, probeWrite: installation.probeWrite }),
        renderMetrics: metrics.render,
      }),
    },
  });
  const url = await listen(server, config);
  // Not before there is a door: what is shown once must not be made by a start that fails.
  const firstStart = await setUpOnce(installation, config).catch(async (error) => {
    await drain(server);
    throw error;
  });

  const { settleIntents, syncSite } = makeUpkeep(installation, {
    log,
    observeSettled: metrics.observeSettled,
  });
  const turns = {
    settle: makeSettleTurn(settleIntents),
    'last-used': lastUsed.save,
    'clean-up': makeCleanUpTurn(vouchers, clock),
  };
  const loops = Object.entries(turns).map(([name, run]) =>
    startLoop({ name, run, log, pauseAfterFailureMs: PAUSE_AFTER_FAILURE_MS }),
  );
  loops.push(
    startSyncLoops({
      sites,
      syncSite,
      sinceLastMs: installation.syncs.sinceLastMs,
      intervalS: config.syncIntervalS,
      log,
      random: Math.random,
    }),
  );

  return {
    url,
    firstStart,
    log,
    async stop() {
      draining = true;
      await drain(server);
      await Promise.all(loops.map((loop) => loop.stop()));
      await lastUsed.save().catch((error) => log.error({ err: error }, 'last uses of keys were not saved'));
      metrics.stop();
      await installation.close();
      release();
    },
  };
}
