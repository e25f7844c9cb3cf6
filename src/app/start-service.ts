// Starts the service: opens the installation, then starts the HTTP server and the background jobs.

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { runInNewContext } from 'node:vm';
import { makeLookAtRollingCode } from '../features/screens/rolling-code.ts';
import { FEATURES } from '../features.ts';
import { makeResumeUseCase } from '../kernel/batches/batch-use-cases.ts';
import { problemResponse } from '../kernel/contract/problem-response.ts';
import { loadUndici } from '../kernel/controllers/upstream/load-undici.ts';
import { kernelMetrics, SETTLED, VOUCHER_FAILURES } from '../kernel/health/kernel-metrics.ts';
import { findWeakSecrets } from '../kernel/health/weak-secrets.ts';
import type { SiteId } from '../kernel/ids.ts';
import type { Installation } from '../kernel/installation.ts';
import type { Instance } from '../kernel/instances/instance.ts';
import type { IntroducedValue } from '../kernel/instances/known-since.ts';
import { makeLastUsed } from '../kernel/keys/last-used-turn.ts';
import type { ServePage } from '../kernel/pages/page-app.ts';
import { makeSetupOnce, type SetupReport } from '../kernel/settings/setup.ts';
import { makeNoteUntrustedProxy } from '../kernel/settings/untrusted-proxies.ts';
import { makeOfferSetup } from '../kernel/users/first-admin.ts';
import { makeCreationUseCases } from '../kernel/vouchers/creation-use-cases.ts';
import { makePlacementUseCase } from '../kernel/vouchers/placement-use-case.ts';
import { makeRevokeReplacedUseCase } from '../kernel/vouchers/revocation-use-cases.ts';
import { makeSyncUseCases } from '../kernel/vouchers/sync-use-cases.ts';
import { makeBackupReader } from '../platform/backup/backup-jobs.ts';
import type { Config } from '../platform/config/config.ts';
import { VERSION } from '../platform/config/version.ts';
import { migrations } from '../platform/database/migrations/index.ts';
import { holdForService } from '../platform/database/service-lock.ts';
import { drain, listen } from '../platform/http/listen.ts';
import { makeServer, type ServerLimits } from '../platform/http/server.ts';
import { makeShutdown, type ProxyWaits } from '../platform/http/shutdown.ts';
import { makeBackgroundWork } from '../platform/jobs/background-work.ts';
import type { Log } from '../platform/log/log.ts';
import { type AppLog, makeLog } from '../platform/log/make-log.ts';
import { makeOutageLog, type OutageLog } from '../platform/log/outage-log.ts';
import { withTrace } from '../platform/log/trace.ts';
import { type Metrics, makeMetrics } from '../platform/metrics/metrics.ts';
import { makeIpMatcher } from '../platform/network/ip.ts';
import { type Clock, systemClock } from '../platform/time/clock.ts';
import { makeApis } from './api.ts';
import { makeDrawing } from './drawing.ts';
import { openInstallation } from './installation.ts';
import { startJobs } from './jobs.ts';
import { loadPages } from './load-pages.ts';
import type { Parts } from './pages.ts';

const LOCK_REMOVED =
  'service.lock was removed, which keeps a second service away. It is locked again; leave it alone while the service runs';
const PROXY_WAITS: ProxyWaits = { noticeMs: 3_000, idleMs: 1_000 };

export interface Service {
  url: string;
  /** The public address at the start; undefined if none is set. */
  publicUrl: string | undefined;
  firstStart: SetupReport;
  log: AppLog;
  /** Resolves with the error if records may not be on the disk. The process must end without `stop`. */
  whenLost: Promise<Error>;
  /** Resolves with the error if another service runs on the data folder. The process must end without `stop`. */
  whenTaken: Promise<Error>;
  /** Finishes the requests and jobs in progress, then closes what the start has opened. */
  stop(): Promise<void>;
}

export interface ServiceParts {
  clock?: Clock;
  log?: AppLog;
  /** Tests set lower limits. */
  limits?: Partial<ServerLimits> | undefined;
  /** Scales all delays and time-outs of webhook delivery; 1 is real time. */
  pace?: number;
  /** If false, no background job runs. Only tests that count writes set this. */
  jobs?: boolean | undefined;
  /** Tests set shorter waits. */
  proxyWaits?: ProxyWaits | undefined;
  /** Tests add a value that older releases do not know. */
  knownSince?: readonly IntroducedValue[] | undefined;
}

export async function startService(config: Config, parts: ServiceParts = {}): Promise<Service> {
  const { clock = systemClock, log = makeLog(config.logLevel), pace = 1, jobs = true } = parts;
  const { limits, knownSince, proxyWaits = PROXY_WAITS } = parts;
  // Lock the data folder before opening the database: a newer release must not migrate a database in use.
  const lock = config.database
    ? undefined
    : holdForService(config.dataDir, (error) => {
        if (error) log.error({ err: error }, 'service.lock was removed and cannot be locked again');
        else log.warn({}, LOCK_REMOVED);
      });
  let installation: Installation | undefined;
  let outageLog: OutageLog | undefined;
  try {
    installation = await openInstallation(config, clock, { log, knownSince });
    // With SQLite, no other service uses this database. So the leases of a killed service can be released at once, its
    // intents can be settled at once, and new values need not be readable by an older release.
    if (!config.database) {
      await installation.leases.releaseAll();
      await installation.instances.forgetAll();
      await noteLeftIntents(installation);
      await installation.bindNewValues();
    }
    await installation.mailServer.endPause();
    for (const setting of findWeakSecrets(config))
      log.warn({ setting }, 'this secret is a placeholder or easy to guess: change it');
    outageLog = makeOutageLog({ log, probe: installation.probeWrite });
    const serving = { config, installation, log: outageLog.log, pace, limits, jobs, proxyWaits };
    const { url, publicUrl, firstStart, stop } = await serve(serving);
    const { close, whenLost = new Promise<never>(() => {}) } = installation;
    const whenTaken = lock?.whenTaken ?? new Promise<never>(() => {});
    return {
      url,
      publicUrl,
      firstStart,
      log,
      whenLost,
      whenTaken,
      async stop() {
        await stop();
        outageLog?.stop();
        await close();
        lock?.release();
      },
    };
  } catch (error) {
    outageLog?.stop();
    await installation?.close();
    lock?.release();
    throw error;
  }
}

/** Leaves out the intents of commands: a command may be running beside the service. */
async function noteLeftIntents({ vouchers, leftIntents }: Installation): Promise<void> {
  for (const { id, actor } of await vouchers.listIntents()) if (actor.kind !== 'command') leftIntents.add(id);
}

interface Serving {
  config: Config;
  installation: Installation;
  log: Log;
  pace: number;
  limits: ServiceParts['limits'];
  jobs: boolean;
  proxyWaits: ProxyWaits;
}

/** Does not close the installation: the caller opened it and closes it. */
async function serve(serving: Serving): Promise<Omit<Service, 'log' | 'whenLost' | 'whenTaken'>> {
  const { config, installation, log, pace, limits, jobs, proxyWaits } = serving;
  const { clock, untrustedProxies, instances, withLease, setup } = installation;
  const { basePath, publicUrl: environmentPublicUrl, timeZone, trustedProxies } = config;
  const metrics = makeServiceMetrics(config, installation);
  const { count } = metrics;
  const observeFailure = (site: SiteId, reason: string) => count(VOUCHER_FAILURES, { site, reason });
  const ordering = { timeZone, log, observeFailure };
  const { createVoucher, createVouchers, refuseMany } = makeCreationUseCases(installation, ordering);
  const { settleIntents, syncSite } = makeSyncUseCases(installation, {
    log,
    observeSettled({ recorded, forgotten }) {
      count(SETTLED, { outcome: 'recorded' }, recorded);
      count(SETTLED, { outcome: 'forgotten' }, forgotten);
    },
  });
  const revokeReplaced = makeRevokeReplacedUseCase(installation, log);
  const lastUsed = makeLastUsed(installation.keys);
  const backgroundWork = makeBackgroundWork(log);
  const drawing = makeDrawing(installation, { timeZone });
  const { rolling, syncs } = installation;
  const lookAtRollingCode = makeLookAtRollingCode({
    rolling,
    syncs,
    pokeStock: installation.stockPoke.poke,
    timeZone,
    clock,
    log,
  });
  let isSetupDone = false;
  // When stopping, wait only for a proxy that can use another instance. With SQLite there is only one instance.
  const shutdown = makeShutdown(config.database && trustedProxies.length > 0 ? proxyWaits : undefined);
  const { isDraining, isRefusing, isLeaving, stopping } = shutdown;

  const pages = makeLatePages(installation, {
    createVouchers,
    refuseMany,
    lookAtRollingCode,
    syncSite,
    config,
    basePath,
    environmentPublicUrl,
    timeZone,
    isDraining,
    count,
    observeFailure,
    log,
    stopping,
    backgroundWork,
  });
  const server = makeServer({
    presentProblem: problemResponse,
    log,
    trustedProxies,
    noteArrival: installation.noteArrival,
    noteUntrustedProxy: makeNoteUntrustedProxy({ untrustedProxies, clock, log }),
    observeRequest: metrics.observeRequest,
    withTrace,
    isDraining,
    isRefusing,
    limits,
    servePage: pages.servePage,
    ...makeApis(installation, {
      config,
      createVoucher,
      placeOrder: makePlacementUseCase(installation, {
        createVoucher,
        createVouchers,
        refuseMany,
        revokeReplaced,
        timeZone,
        stopping,
        backgroundWork,
      }),
      resumeBatch: makeResumeUseCase(installation, { createVouchers, refuseMany, stopping }),
      lastUsed,
      metrics,
      count,
      isSetupDone: () => isSetupDone,
      isLeaving,
      backgroundWork,
      drawJob: drawing.drawJob,
      drawCodePicture: drawing.drawCodePicture,
      lookAtRollingCode,
      timeZone,
      log,
      pace,
    }),
  });
  await untrustedProxies.forget(makeIpMatcher(trustedProxies));
  // Checks the clock before requests write records with its time.
  await installation.beat();
  const { hasConnection, hasSession } = await installation.readUse();
  const address = await installation.readPublicUrl();
  // The check of the database and the loading would delay every request, so they run before listening. The service also
  // starts with a damaged database: the damage is logged, and orders are refused.
  try {
    installation.needIntact?.();
  } catch {}
  if (hasConnection) await loadUndici();
  const url = await listen(server, config);
  // Run the set-up only after the server listens: credentials that are shown once must not be lost in a failed start.
  const setupOnce = makeSetupOnce({ withLease, setup, offerSetup: makeOfferSetup(installation) });
  const firstStart = await setupOnce(config).catch(async (error) => {
    await drain(server);
    throw error;
  });
  isSetupDone = true;
  const self: Instance = {
    id: randomUUID(),
    name: `${hostname()}:${new URL(url).port}`,
    release: VERSION,
    schemaVersion: migrations.length,
  };
  const { drawJob } = drawing;
  const parts = {
    config,
    self,
    settleIntents,
    syncSite,
    revokeReplaced,
    lastUsed,
    metrics,
    drawJob,
    log,
    pace,
    ...{ createVouchers, refuseMany, stopping, backgroundWork },
  };
  const loops = jobs ? await startJobs(installation, parts) : [];
  // A discarded context makes V8 give back the memory that only the start needed, in small steps while the service is
  // idle.
  runInNewContext('');
  // A user who has a session will probably open a page. Not awaited: the service already serves requests, and a page
  // that is requested now waits for the same modules.
  if (hasSession) pages.load().catch((error) => log.error({ err: error }, 'the pages were not loaded'));

  return {
    url,
    publicUrl: address?.url,
    firstStart,
    async stop() {
      await shutdown.close(server);
      await backgroundWork.ended();
      const stopped = loops.map((loop) => loop.stop());
      // The loops no longer need pictures: they only finish the jobs that are being printed.
      drawing.stop();
      await Promise.all(stopped);
      await lastUsed.save().catch((error) => log.error({ err: error }, 'last uses of keys were not saved'));
      await installation
        .flushFailedOrders({ isLast: true })
        .catch((error) => log.error({ err: error }, 'failed orders were not recorded'));
      await instances
        .forget(self.id)
        .catch((error) => log.warn({ err: error }, 'this instance is shown as alive for a while'));
      // Stores how long the service has run. If the database is unavailable, the time since the last heartbeat is lost.
      await installation.beat().catch(() => {});
      metrics.stop();
    },
  };
}

function makeServiceMetrics(config: Config, installation: Installation): Metrics {
  const deps = {
    version: VERSION,
    countStorageErrors: installation.storageErrors.counts,
    ...(config.backup.folder && { backups: makeBackupReader(config, config.backup.folder, installation) }),
  };
  return makeMetrics(deps, async () => {
    const ofFeatures = await Promise.all(
      FEATURES.map(async ({ metrics }) => (await metrics?.(installation)) ?? []),
    );
    return [...kernelMetrics(installation), ...ofFeatures.flat()];
  });
}

/** Loads the pages with the first call of `load`. If only the API is called, they are never loaded. */
function makeLatePages(installation: Installation, parts: Parts) {
  let loading: Promise<ServePage> | undefined;
  function load(): Promise<ServePage> {
    loading ??= loadPages()
      .then(({ makePages }) => makePages(installation, parts))
      .catch((error) => {
        // For example, too many files are open. The next request for a page tries again.
        loading = undefined;
        throw error;
      });
    return loading;
  }
  const servePage: ServePage = async (message, response, request) =>
    (await load())(message, response, request);
  return { load, servePage };
}
