// Starts the service: opens the installation, then starts the HTTP server and the background jobs.

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHANNELS } from '../channels/channels.ts';
import type { Config } from '../config/config.ts';
import { VERSION } from '../config/version.ts';
import { makeEndLeftBatches } from '../domain/batches/create-batch.ts';
import { type Clock, systemClock } from '../domain/clock.ts';
import type { ExamineHealth } from '../domain/health/finding.ts';
import type { Instance } from '../domain/instances/instance.ts';
import type { IntroducedValue } from '../domain/instances/known-since.ts';
import { makeIpMatcher } from '../domain/ip.ts';
import { MAX_WRONG_KEYS, makeFloodGuard } from '../domain/keys/flood-guard.ts';
import { makeVerifyKey } from '../domain/keys/verify-key.ts';
import type { Log } from '../domain/log.ts';
import type { SetUpReport } from '../domain/set-up.ts';
import { makeNoteUntrustedProxy } from '../domain/settings/untrusted-proxies.ts';
import { makeOfferSetUp } from '../domain/users/first-admin.ts';
import { makeRevokeByCode } from '../domain/vouchers/revoke-by-code.ts';
import { drain, listen } from '../http/listen.ts';
import { openapiDocument } from '../http/openapi-document.ts';
import { openapiExtraDocument } from '../http/openapi-extra-document.ts';
import { makeOpenapiHandler } from '../http/openapi-handler.ts';
import { makeOperations } from '../http/operations.ts';
import { makeRevokeHandler } from '../http/revoke-handler.ts';
import { makeSecurityTxt } from '../http/security-txt.ts';
import { makeServer, type ServerLimits } from '../http/server.ts';
import { makeSitesHandler } from '../http/sites-handler.ts';
import { makeVoucherListCache } from '../http/voucher-list-cache.ts';
import { makeVouchersHandler } from '../http/vouchers-handler.ts';
import { makeWithApiKey } from '../http/with-api-key.ts';
import { type AppLog, makeLog } from '../observe/log.ts';
import { makeMetrics } from '../observe/metrics.ts';
import { makeOutageLog, type OutageLog } from '../observe/outage-log.ts';
import { makeFindReadinessFailures } from '../observe/readiness.ts';
import { withTrace } from '../observe/trace.ts';
import { migrations } from '../storage/migrations/index.ts';
import { lockForService } from '../storage/service-lock.ts';
import { storageErrorReason } from '../storage/storage-errors.ts';
import type { ServePage } from '../web/http/page-app.ts';
import { makeBatchesTurn } from '../workers/batches.ts';
import { makeCleanUpTurn } from '../workers/clean-up.ts';
import { makeClockCheckTurn } from '../workers/clock-check.ts';
import { makeInstanceTurn } from '../workers/instance.ts';
import { makeLastUsed } from '../workers/last-used.ts';
import { type Loop, startLoop } from '../workers/loop.ts';
import { makeNameOrderTurn } from '../workers/name-order.ts';
import { makeRetentionTurn } from '../workers/retention.ts';
import { startRevocationsLoop } from '../workers/revocations.ts';
import { makeSearchIndexTurn } from '../workers/search-index.ts';
import { makeSettleTurn } from '../workers/settle.ts';
import { startSyncLoops } from '../workers/sync.ts';
import { makeBackupReader, makeBackupTurns } from './backup-jobs.ts';
import { makeCreationUseCases } from './creation-use-cases.ts';
import { findWeakSecrets } from './health/weak-secrets.ts';
import { type Installation, openInstallation } from './installation.ts';
import { startMessageLoops } from './message-loops.ts';
import type { Parts } from './pages.ts';
import { makeRevocationUseCases } from './revocation-use-cases.ts';
import { makeSyncUseCases } from './sync-use-cases.ts';

const PAUSE_AFTER_FAILURE_MS = 10_000;
const SET_UP_WAIT_MS = 200;
const PROXY_WAITS: ProxyWaits = { noticeMs: 3_000, idleMs: 1_000 };

export interface Service {
  url: string;
  firstStart: SetUpReport;
  log: AppLog;
  /** Finishes the requests and jobs in progress, then closes everything in reverse order. */
  stop(): Promise<void>;
}

/** How long a service that stops waits for a proxy, which sends the requests to another instance. */
interface ProxyWaits {
  /** From the change of /readyz to the closing of the port: the proxy notices the change. */
  noticeMs: number;
  /** From then to the closing of idle connections: a busy proxy uses them once more, and learns that they close. */
  idleMs: number;
}
const NO_WAITS: ProxyWaits = { noticeMs: 0, idleMs: 0 };

export interface ServiceParts {
  clock?: Clock;
  log?: AppLog;
  /** Tests set lower limits. */
  limits?: Partial<ServerLimits> | undefined;
  /** Scales all delays and time-outs of webhook delivery; 1 is real time. */
  pace?: number;
  /** False only in tests that count writes: no background job runs. */
  jobs?: boolean | undefined;
  /** Tests wait less. */
  proxyWaits?: ProxyWaits | undefined;
  /** Tests add a value that older releases do not know. */
  knownSince?: readonly IntroducedValue[] | undefined;
}

export async function startService(config: Config, parts: ServiceParts = {}): Promise<Service> {
  const { clock = systemClock, log = makeLog(config.logLevel), pace = 1, jobs = true } = parts;
  const { limits, knownSince, proxyWaits = PROXY_WAITS } = parts;
  // Lock before opening the database: a newer release must not migrate it while another service uses it.
  const release = config.database ? () => {} : lockForService(config.dataDir);
  let installation: Installation | undefined;
  let outageLog: OutageLog | undefined;
  try {
    installation = await openInstallation(config, clock, { log, knownSince });
    // With SQLite there is no other service: leases that a killed service held are released at once, and no older
    // release has to decrypt the values that this one writes.
    if (!config.database) {
      await installation.leases.releaseAll();
      await installation.instances.forgetAll();
      await installation.bindNewValues();
    }
    for (const setting of findWeakSecrets(config))
      log.warn({ setting }, 'this secret is a placeholder or easy to guess: change it');
    outageLog = makeOutageLog({ log, probe: installation.probeWrite });
    const serving = { config, installation, log: outageLog.log, pace, limits, jobs, proxyWaits };
    const { url, firstStart, stop } = await serve(serving);
    const { close } = installation;
    return {
      url,
      firstStart,
      log,
      async stop() {
        await stop();
        outageLog?.stop();
        await close();
        release();
      },
    };
  } catch (error) {
    outageLog?.stop();
    await installation?.close();
    release();
    throw error;
  }
}

/** If several instances start at the same time, one runs the set-up; the others then find it complete. */
async function setUpOnce(installation: Installation, config: Config): Promise<SetUpReport> {
  const { withLease, setUp } = installation;
  const offerSetUp = makeOfferSetUp(installation);
  for (;;) {
    const report = await withLease('set-up', new AbortController().signal, async () => {
      const made = await setUp(config);
      const setupToken = await offerSetUp();
      return { ...made, ...(setupToken && { setupToken }) };
    });
    if (report) return report;
    await sleep(SET_UP_WAIT_MS);
  }
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

/** Closing the installation is left to the caller, who has opened it. */
async function serve(serving: Serving): Promise<Omit<Service, 'log'>> {
  const { config, installation, log, pace, limits, jobs, proxyWaits } = serving;
  const { clock, keys, sites, vouchers, untrustedProxies } = installation;
  const { settings, retention, readTrustedTime, withLease } = installation;
  const metrics = makeMetrics({
    version: VERSION,
    readBacklogs: installation.readBacklogs,
    listSyncs: () => listActiveSyncs(installation),
    listWebhooks: installation.webhooks.list,
    readTrustedTime,
    countStorageErrors: installation.storageErrors.counts,
    ...(config.backup.folder && { backups: makeBackupReader(config, config.backup.folder, installation) }),
  });
  const lastUsed = makeLastUsed(keys);
  let setUp = false;
  // With SQLite there is no other instance to which a proxy could send the requests.
  const waits = config.database && config.trustedProxies.length > 0 ? proxyWaits : NO_WAITS;
  let leaving = false;
  let draining = false;
  let refusing = false;
  const stopping = new AbortController();
  const backgroundWork = new Set<Promise<unknown>>();

  const floodGuard = makeFloodGuard({
    keys,
    clock,
    onFlood: (network) =>
      log.warn(
        { network, wrongKeys: MAX_WRONG_KEYS },
        'flood of wrong API keys: refused without a look-up until the minute is over',
      ),
  });
  const withApiKey = makeWithApiKey({
    verifyKey: makeVerifyKey({ keys, floodGuard, lastUsed, clock }),
    rateCounter: installation.rateCounter,
    lastUsed,
    observeKeyRefusal: metrics.observeKeyRefusal,
    changeStamp: installation.changeStamp,
    clock,
  });
  const listResponse = makeVoucherListCache({ vouchers, clock });
  const { basePath, publicUrl, timeZone } = config;
  const { createVoucher, createVouchers } = makeCreationUseCases(installation, {
    timeZone,
    log,
    observeFailure: metrics.observeVoucherFailure,
  });
  const { revokeVoucher, resumeRevocations } = makeRevocationUseCases(installation);
  const { revocations } = installation;
  const revokeByCode = makeRevokeByCode({ sites, revocations, revokeVoucher, clock, log });
  const isDraining = () => draining;
  const { settleIntents, syncSite } = makeSyncUseCases(installation, {
    log,
    observeSettled: metrics.observeSettled,
  });

  const server = makeServer({
    log,
    trustedProxies: config.trustedProxies,
    noteUntrustedProxy: makeNoteUntrustedProxy({ untrustedProxies, clock, log }),
    observeRequest: metrics.observeRequest,
    withTrace,
    isDraining,
    isRefusing: () => refusing,
    limits,
    servePage: makeLatePages(installation, {
      createVouchers,
      syncSite,
      basePath,
      publicUrl,
      timeZone,
      isDraining,
      observeLogin: metrics.observeLogin,
      observeCheck: metrics.observeCheck,
      examineHealth: makeLateExamination(installation, config),
      log,
      stopping: stopping.signal,
      backgroundWork,
    }),
    handlers: {
      [`${basePath}/sites.php`]: withApiKey(makeSitesHandler(sites)),
      [`${basePath}/vouchers.php`]: withApiKey(makeVouchersHandler({ listResponse, createVoucher, log })),
      [`${basePath}/revoke.php`]: withApiKey(makeRevokeHandler({ revokeByCode, log })),
      [`${basePath}/openapi.php`]: makeOpenapiHandler(basePath, openapiDocument),
      [`${basePath}/openapi-extra.php`]: makeOpenapiHandler(basePath, openapiExtraDocument),
      ...makeSecurityTxt({ contact: config.securityContact, publicUrl, clock }),
      ...makeOperations({
        version: VERSION,
        findReadinessFailures: makeFindReadinessFailures({
          isSetUp: () => setUp,
          isDraining: () => leaving,
          probeWrite: installation.probeWrite,
          tryWrite: installation.tryWrite,
          recentStorageError: installation.storageErrors.recent,
          reasonOf: storageErrorReason,
        }),
        metricsToken: config.metricsToken,
        renderMetrics: metrics.render,
      }),
    },
  });
  await untrustedProxies.forget(makeIpMatcher(config.trustedProxies));
  // Checks the clock before requests write records with its time.
  await installation.beat();
  const url = await listen(server, config);
  // Run the set-up only after the server listens: credentials that are shown once must not be lost in a failed start.
  const firstStart = await setUpOnce(installation, config).catch(async (error) => {
    await drain(server);
    throw error;
  });
  setUp = true;
  const self: Instance = {
    id: randomUUID(),
    name: `${hostname()}:${new URL(url).port}`,
    release: VERSION,
    schemaVersion: migrations.length,
  };

  const loops = jobs ? await startJobs() : [];

  return {
    url,
    firstStart,
    async stop() {
      leaving = true;
      if (waits === NO_WAITS) draining = refusing = true;
      await sleep(waits.noticeMs);
      await drain(server, {
        // Not before: responses then close their connections, and the port would close while proxies open new ones.
        onPortClosed: () => {
          draining = true;
        },
        idleMs: waits.idleMs,
        onIdleClosed: () => {
          refusing = true;
          stopping.abort();
        },
      });
      await Promise.all(backgroundWork);
      await Promise.all(loops.map((loop) => loop.stop()));
      await lastUsed.save().catch((error) => log.error({ err: error }, 'last uses of keys were not saved'));
      await installation.instances
        .forget(self.id)
        .catch((error) => log.warn({ err: error }, 'this instance is shown as alive for a while'));
      // Stores how long the service has run. Without a database, the next start counts less.
      await installation.beat().catch(() => {});
      metrics.stop();
    },
  };

  async function startJobs(): Promise<Loop[]> {
    const turns = {
      instance: makeInstanceTurn(installation.instances, self),
      settle: makeSettleTurn(settleIntents),
      batches: makeBatchesTurn(makeEndLeftBatches(installation)),
      'last-used': lastUsed.save,
      'clock-check': makeClockCheckTurn({
        beat: installation.beat,
        readOtherClocks: () => readOtherClocksLate(installation, config),
        log,
      }),
      'clean-up': makeCleanUpTurn(
        installation,
        CHANNELS.map(({ rules }) => rules),
      ),
      retention: makeRetentionTurn({ settings, retention, readTrustedTime, withLease, log }),
      'name-order': makeNameOrderTurn(installation),
      'search-index': makeSearchIndexTurn(installation),
      ...(await makeBackupTurns(config, installation, { log, observeFailure: metrics.observeBackupFailure })),
    };
    const loops = Object.entries(turns).map(([name, run]) =>
      startLoop({ name, run, log, pauseAfterFailureMs: PAUSE_AFTER_FAILURE_MS }),
    );
    loops.push(
      startRevocationsLoop(resumeRevocations, {
        log,
        pauseAfterFailureMs: PAUSE_AFTER_FAILURE_MS,
      }),
      startSyncLoops({
        sites,
        syncSite,
        sinceLastMs: installation.syncs.sinceLastMs,
        intervalS: config.syncIntervalS,
        log,
        random: Math.random,
      }),
    );

    loops.push(...startMessageLoops(installation, { log, observe: metrics.observeAttempt, pace }));
    return loops;
  }
}

/** Loads the comparison with other clocks when this machine's clock is doubted. */
async function readOtherClocksLate(installation: Installation, config: Config) {
  const { readOtherClocks } = await import('./other-clocks.ts');
  return readOtherClocks(installation, config);
}

/** Loads the page modules on the first request for a page. If only the API is called, they are never loaded. */
function makeLatePages(installation: Installation, parts: Parts): ServePage {
  let loading: Promise<ServePage> | undefined;
  return async (message, response, request) => {
    loading ??= import('./pages.ts').then(({ makePages }) => makePages(installation, parts));
    await (await loading)(message, response, request);
  };
}

/** Loads the examination with the first request for the health page. */
function makeLateExamination(installation: Installation, config: Config): ExamineHealth {
  return async () => {
    const { makeExamineRunning } = await import('./health/examine-running.ts');
    return makeExamineRunning(installation, config)();
  };
}

/** Without inactive sites: their last sync may have failed, which concerns nobody any more. */
async function listActiveSyncs({ sites, syncs }: Pick<Installation, 'sites' | 'syncs'>) {
  const active = new Set((await sites.listActive()).map(({ id }) => id));
  return new Map([...(await syncs.list())].filter(([id]) => active.has(id)));
}
