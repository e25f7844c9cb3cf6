// Examines an opened installation: reads every part, then judges what was read. Changes nothing, except that a
// controller may begin a new login session.

import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { backupPlaceOf, makeReadBackupState } from '../../platform/backup/backup-state.ts';
import { isOwnBackup, newestBackup } from '../../platform/backup/scheduled-backups.ts';
import type { Config } from '../../platform/config/config.ts';
import { readServerFacts } from '../../platform/database/postgres/server-facts.ts';
import type { CheckedFilePages } from '../../platform/database/sqlite/find-damage.ts';
import { storageErrorReason } from '../../platform/database/storage-errors.ts';
import { toWholeSeconds } from '../../platform/time/clock.ts';
import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import {
  judgeClock,
  judgeHeartbeat,
  judgeNotCompared,
  judgeTimeZone,
  withoutSyncsExplainedBy,
} from '../clock-check/judge-clock.ts';
import { type ProbedServer, probeServer } from '../controllers/upstream/probe-server.ts';
import type { Installation } from '../installation.ts';
import { judgeKeys } from '../keys/judge-keys.ts';
import { adviseOnProxies } from '../settings/untrusted-proxies.ts';
import {
  type ControllerFacts,
  clocksOfSites,
  judgeSites,
  judgeSyncs,
  type SiteFacts,
  type SyncFacts,
  sitesWithoutClock,
} from '../sites/judge-sites.ts';
import type { Site } from '../sites/site.ts';
import { judgeUsers } from '../users/judge-users.ts';
import { makeAttempt } from './attempt.ts';
import { callPublicAddress } from './call-public-address.ts';
import type { AnyFinding, Finding } from './finding.ts';
import type { HealthCheck } from './health-check.ts';
import { type AddressFacts, judgeAddress } from './judge-address.ts';
import { type BackupFacts, judgeBackups } from './judge-backups.ts';
import { judgeWriting, type WriteFacts } from './judge-database.ts';
import { clockOfServer, judgeServer } from './judge-postgres.ts';
import { judgeDeletions, judgeIntents, judgeLosses, type LossFacts } from './judge-records.ts';
import { judgeSecrets, type SecretFacts } from './judge-secrets.ts';
import { judgeInstances, judgeProxies } from './judge-service.ts';
import { judged } from './observed.ts';
import { readSecretFiles } from './read-data-folder.ts';
import { findWeakSecrets } from './weak-secrets.ts';

/** The place of the findings about API keys among those of the features. */
const KEYS_PLACE = 100;

interface Options<OfService> {
  /** The checks of the features. */
  checks: readonly HealthCheck[];
  /** The result of the search for damaged pages in the SQLite file, which is made before the file is opened. */
  pages: CheckedFilePages;
  examineService: () => Promise<OfService[]>;
  /** Returns the text that a finding shows for an error. */
  explain: (error: unknown) => string;
  controllerPatienceMs: number;
  /** How long each part may take. */
  patienceMs: number;
}

/** Reads all parts (independent ones at the same time), then judges the results. */
export async function examineInstallation<OfService extends AnyFinding>(
  installation: Installation,
  config: Config,
  { checks, pages, examineService, explain, controllerPatienceMs, patienceMs }: Options<OfService>,
): Promise<(OfService | Finding)[]> {
  const { clock } = installation;
  const { database, timeZone, syncIntervalS } = config;
  const attempt = makeAttempt({ clock, patienceMs, explain });
  const [secrets, writing, server, service, instances, backups, address, proxies, keys] = await Promise.all([
    attempt('encrypted values', () => readSecrets(installation, config)),
    attempt('database', () => tryWriting(installation, explain)),
    database && attempt('PostgreSQL', () => readServerFacts(database)),
    examineService(),
    attempt('instances', () => installation.instances.listLiving()),
    attempt('backups', () => readBackups(installation, config)),
    attempt('public address', () => readAddress(installation, config)),
    attempt('proxies', () => adviseOnProxies(installation)),
    attempt('API keys', () => installation.keys.list()),
  ]);
  // If a sealed value cannot be opened, reading the sites and webhooks would fail, so the parts below are left out.
  const canOpenAll = 'value' in secrets && secrets.value.sealed.broken.length === 0;
  const [sites, syncs, losses, users, intents, ofFeatures = []] = !canOpenAll
    ? []
    : await Promise.all([
        attempt('sites', () => readSites(installation, controllerPatienceMs)),
        attempt('syncs', () => readSyncs(installation)),
        attempt('lost vouchers', () => readLosses(installation)),
        attempt('users', () => installation.users.list()),
        attempt('open orders', () => installation.vouchers.listIntents()),
        Promise.all(
          checks.map(async ({ part, place, examine }) => ({
            place,
            found: await attempt(part, () => examine(installation, controllerPatienceMs)),
          })),
        ),
      ]);
  const recordDates = await attempt('clock', async () => ({
    lastRecordMs: await readLastRecordMs(installation),
    newestDateMs: (await installation.readNewestDate())?.atMs,
  }));
  const clockRecord = await attempt('clock', () => installation.clockRecords.read(clock.nowMs()));
  const { retention, settings, endedVouchers } = installation;
  const deletions = await attempt('retention', () =>
    Promise.all([
      retention.listHeldBack(),
      settings.read(),
      endedVouchers.listSites(toWholeSeconds(clock.nowMs())),
    ]),
  );

  const nowMs = clock.nowMs();
  const clocks = [
    ...(server && 'value' in server ? [clockOfServer(server.value, server.atMs)] : []),
    ...(sites && 'value' in sites ? clocksOfSites(sites.value) : []),
  ];
  // A failing service is the reason why its public address fails.
  const isServiceFailing = service.some(({ state }) => state === 'fault');
  const times = judged(recordDates, (dates) => judgeClock(nowMs, clocks, dates));
  return [
    ...judged(secrets, judgeSecrets),
    ...judged(writing, (facts) => judgeWriting(facts, pages)),
    ...judged(server, judgeServer),
    ...service,
    ...judged(instances, judgeInstances),
    ...judged(backups, judgeBackups),
    ...judged(address, (facts, atMs) =>
      judgeAddress({ ...facts, ...(isServiceFailing && { response: undefined }) }, atMs),
    ),
    ...judged(proxies, judgeProxies),
    ...times,
    ...judged(sites, (all) => judgeNotCompared(sitesWithoutClock(all))),
    ...judged(clockRecord, judgeHeartbeat),
    ...judged(deletions, ([heldBack, limits, due]) => judgeDeletions(heldBack, limits, due.length > 0)),
    judgeTimeZone(timeZone, new Intl.DateTimeFormat().resolvedOptions().timeZone, nowMs),
    ...judged(sites, judgeSites),
    ...withoutSyncsExplainedBy(
      times,
      nowMs,
      judged(syncs, (facts, atMs) => judgeSyncs(facts, atMs, syncIntervalS)),
    ),
    ...judged(losses, judgeLosses),
    ...judged(users, judgeUsers),
    ...foundBetween(0, KEYS_PLACE),
    ...judged(keys, judgeKeys),
    ...judged(intents, judgeIntents),
    ...foundBetween(KEYS_PLACE),
  ];

  function foundBetween(from: number, to = Number.POSITIVE_INFINITY): Finding[] {
    return ofFeatures
      .filter(({ place }) => place >= from && place < to)
      .sort((one, other) => one.place - other.place)
      .flatMap(({ found }) => judged(found, (findings) => findings));
  }
}

async function readSecrets({ tallySealedValues }: Installation, config: Config): Promise<SecretFacts> {
  return {
    sealed: await tallySealedValues(),
    files: readSecretFiles(config),
    secretPath: config.secret === undefined ? join(config.dataDir, 'secret') : undefined,
    hasPreviousSecret: config.previousSecret !== undefined,
    weakSettings: findWeakSecrets(config),
  };
}

export async function tryWriting(
  { tryWrite, storageErrors }: Pick<Installation, 'tryWrite' | 'storageErrors'>,
  explain: (error: unknown) => string,
): Promise<WriteFacts> {
  try {
    await tryWrite();
  } catch (error) {
    return { reason: storageErrorReason(error), detail: explain(error) };
  }
  return { reason: storageErrors.recent() };
}

async function readBackups(
  { backups, sites }: Installation,
  { backup: { folder, intervalH, passphrase }, secret, dataDir, database }: Config,
): Promise<BackupFacts> {
  // The sites cannot be read if a sealed value cannot be opened, which another finding reports.
  if (folder === undefined) return { kind: 'unscheduled', sites: await sites.list().catch(() => []) };
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return { kind: 'folder-unusable', folder, error };
  }
  const newest = newestBackup(await backups.list());
  const isOwn = newest && isOwnBackup(newest, backupPlaceOf({ database }, folder));
  const state = isOwn ? await makeReadBackupState()(newest) : 'intact';
  const hasSecret = passphrase !== undefined || secret !== undefined;
  const isOnSameDisk = !database && statSync(folder).dev === statSync(dataDir).dev;
  return { kind: 'scheduled', folder, intervalH, newest, state, hasSecret, isOnSameDisk };
}

async function readAddress(
  { readPublicUrl }: Installation,
  { basePath, proxyAuthHeader, trustedProxies }: Config,
): Promise<AddressFacts> {
  const address = await readPublicUrl();
  const hasProxyLogin = proxyAuthHeader !== undefined;
  const response = address && (await callPublicAddress(address.url, { basePath, hasProxyLogin }));
  return { address, response, trustedProxies };
}

async function readSites(installation: Installation, patienceMs: number): Promise<SiteFacts[]> {
  const servers = new Map<string, Promise<ProbedServer | undefined>>();
  const lookOnce = (url: string) => {
    const looked = servers.get(url) ?? probeServer(url, { clock: installation.clock, patienceMs });
    servers.set(url, looked);
    return looked;
  };
  const all = await installation.sites.list();
  return Promise.all(
    all.map(async (site) =>
      site.active && site.controllerKind !== UNKNOWN
        ? { site, controller: await readController(installation, site, { lookOnce, patienceMs }) }
        : { site },
    ),
  );
}

interface ControllerOptions {
  lookOnce: (url: string) => Promise<ProbedServer | undefined>;
  /** How long a controller may take to result. */
  patienceMs: number;
}

async function readController(
  { controllerOf }: Installation,
  site: Site,
  { lookOnce, patienceMs }: ControllerOptions,
): Promise<ControllerFacts> {
  const controller = controllerOf(site);
  const signal = AbortSignal.timeout(patienceMs);
  const [failure, server] = await Promise.all([
    controller.check(signal),
    site.connection ? lookOnce(site.connection.url) : undefined,
  ]);
  return { failure, server, version: failure ? undefined : await controller.readVersion?.(signal) };
}

async function readSyncs({ sites, syncs }: Installation): Promise<SyncFacts[]> {
  const known = await syncs.list();
  return (await sites.listActive()).map((site) => ({ site, sync: known.get(site.id) }));
}

async function readLosses({ sites, lostVouchers, clock }: Installation): Promise<LossFacts[]> {
  const counts = await lostVouchers.countPerSite(toWholeSeconds(clock.nowMs()));
  return (await sites.listActive()).flatMap((site) => {
    const lost = counts.get(site.id);
    return lost ? [{ site, lost }] : [];
  });
}

/** The time of the last audit entry or of the latest sync, whichever is later; undefined for a new installation. */
async function readLastRecordMs({ searchAudit, sites, syncs }: Installation): Promise<number | undefined> {
  const { entries } = await searchAudit({ limit: 1 });
  const times = entries.map(({ atMs }) => atMs);
  const known = await syncs.list();
  // The sync times of inactive sites are no longer updated, so they are left out.
  for (const { id } of await sites.listActive()) {
    const { syncedAtMs, failedAtMs } = known.get(id) ?? {};
    times.push(syncedAtMs ?? 0, failedAtMs ?? 0);
  }
  return times.length > 0 ? Math.max(...times) : undefined;
}
