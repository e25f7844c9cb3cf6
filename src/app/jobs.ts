// Starts the background jobs of the service.

import type { DrawJob } from '../features/printers/channel/draw-job.ts';
import { startStockLoop } from '../features/reserve/stock-loop.ts';
import { STOCK_FAILURES } from '../features/reserve/stock-metrics.ts';
import { makeTakeOffOldCodes } from '../features/screens/rolling-codes-turn.ts';
import { makeShownCodesTurn } from '../features/screens/shown-codes-turn.ts';
import { FEATURES } from '../features.ts';
import { type FillParts, makeFillDeps } from '../kernel/batches/batch-use-cases.ts';
import { makeBatchesTurn } from '../kernel/batches/batches-turn.ts';
import { makeContinueBatches } from '../kernel/batches/create-batch.ts';
import { makeClockCheckTurn, type OtherClock } from '../kernel/clock-check/clock-check-turn.ts';
import { makeIsClockSettled } from '../kernel/clock-check/settled-clock.ts';
import type { SiteId } from '../kernel/ids.ts';
import type { Installation } from '../kernel/installation.ts';
import type { Instance } from '../kernel/instances/instance.ts';
import { makeInstanceTurn } from '../kernel/instances/instance-turn.ts';
import type { SavedLastUsed } from '../kernel/keys/last-used-turn.ts';
import type { ChannelKind } from '../kernel/messages/channel-kind.ts';
import { makeJudgeAttempt } from '../kernel/messages/judge-attempt.ts';
import { startMessageLoop } from '../kernel/messages/message-loop.ts';
import { makeSendTo } from '../kernel/messages/send-messages.ts';
import { startSyncLoops } from '../kernel/sites/sync-loop.ts';
import type { RevokeReplaced } from '../kernel/vouchers/replaced-vouchers.ts';
import { makeRevocationUseCases } from '../kernel/vouchers/revocation-use-cases.ts';
import type { SettleIntents } from '../kernel/vouchers/settle-intents.ts';
import type { SyncSite } from '../kernel/vouchers/sync-site.ts';
import { startBulkRevocationsLoop } from '../kernel/vouchers/turns/bulk-revocations.ts';
import { makeCleanUpTurn } from '../kernel/vouchers/turns/clean-up.ts';
import { makeEndedVouchersTurn } from '../kernel/vouchers/turns/ended-vouchers.ts';
import { makeNameSortKeyTurn } from '../kernel/vouchers/turns/name-sort-keys.ts';
import { makeReplacedVouchersTurn } from '../kernel/vouchers/turns/replaced-vouchers.ts';
import { makeRetentionTurn } from '../kernel/vouchers/turns/retention.ts';
import { makeSearchIndexTurn } from '../kernel/vouchers/turns/search-index.ts';
import { makeSettleTurn } from '../kernel/vouchers/turns/settle.ts';
import { makeBackupTurns } from '../platform/backup/backup-jobs.ts';
import type { Config } from '../platform/config/config.ts';
import type { BackgroundWork } from '../platform/jobs/background-work.ts';
import { type Loop, startLoop } from '../platform/jobs/loop.ts';
import type { Log } from '../platform/log/log.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';

const PAUSE_AFTER_FAILURE_MS = 10_000;

interface Parts extends FillParts {
  config: Config;
  self: Instance;
  settleIntents: SettleIntents;
  syncSite: SyncSite;
  revokeReplaced: RevokeReplaced;
  lastUsed: SavedLastUsed;
  metrics: Metrics;
  drawJob: DrawJob;
  backgroundWork: BackgroundWork;
  log: Log;
  pace: number;
}

export async function startJobs(installation: Installation, parts: Parts): Promise<Loop[]> {
  const { sites, settings, retention, readTrustedTime, withLease, syncs, replacedVouchers } = installation;
  const { config, settleIntents, syncSite, metrics, log } = parts;
  const readOtherClocks = () => readOtherClocksLate(installation, config);
  const { revokeVoucher, resumeBulkRevocations } = makeRevocationUseCases(installation);
  const channels = await loadChannels();
  const turns = {
    instance: makeInstanceTurn(installation.instances, parts.self),
    settle: makeSettleTurn(settleIntents, installation.nextSearch),
    batches: makeBatchesTurn(
      makeContinueBatches(makeFillDeps(installation, parts)),
      parts.backgroundWork.run,
    ),
    'last-used': parts.lastUsed.save,
    'failed-orders': () => installation.flushFailedOrders(),
    'clock-check': makeClockCheckTurn({ beat: installation.beat, readOtherClocks, log }),
    'clean-up': makeCleanUpTurn(
      installation,
      channels.map(({ rules }) => rules),
      FEATURES.flatMap(({ cleanUp }) => (cleanUp ? [(nowMs: number) => cleanUp(installation, nowMs)] : [])),
    ),
    retention: makeRetentionTurn({ settings, retention, readTrustedTime, withLease, log }),
    'ended-vouchers': makeEndedTurn(installation, { readOtherClocks, log }),
    'rolling-codes': makeTakeOffOldCodes({ rolling: installation.rolling, readTrustedTime, log }),
    'shown-codes': makeShownCodesTurn({
      ...{ shownCodes: installation.shownCodes, revokeVoucher, readTrustedTime, withLease, log },
      monotonicMs: () => performance.now(),
    }),
    'replaced-vouchers': makeReplacedVouchersTurn({
      replacedVouchers,
      revokeReplaced: parts.revokeReplaced,
      withLease,
    }),
    'name-order': makeNameSortKeyTurn(installation),
    'search-index': makeSearchIndexTurn(installation),
    ...(await makeBackupTurns(config, installation, { log, observeFailure: metrics.observeBackupFailure })),
  };
  const pauseAfterFailureMs = PAUSE_AFTER_FAILURE_MS;
  const { syncIntervalS: intervalS } = config;
  const { sinceLastMs } = syncs;
  return [
    ...Object.entries(turns).map(([name, run]) => startLoop({ name, run, log, pauseAfterFailureMs })),
    startBulkRevocationsLoop(resumeBulkRevocations, { log, pauseAfterFailureMs }),
    startSyncLoops({ sites, syncSite, sinceLastMs, intervalS, log, random: Math.random }),
    ...startMessageLoops(channels, installation, parts),
    startStockJob(installation, { ...parts, readOtherClocks }),
  ];
}

function startStockJob(
  installation: Installation,
  { config, metrics, log, readOtherClocks }: Parts & { readOtherClocks: () => Promise<OtherClock[]> },
): Loop {
  const { clock, stock, profiles, stockPoke } = installation;
  const { timeZone, syncIntervalS } = config;
  const monotonicMs = () => performance.now();
  const isClockSettled = makeIsClockSettled({ clock, monotonicMs, readOtherClocks });
  const observeFailure = (site: SiteId, reason: string) => metrics.count(STOCK_FAILURES, { site, reason });
  const loadRefillSite = async () => {
    const { makeRefillUseCase } = await import('../features/reserve/refill-use-case.ts');
    return makeRefillUseCase(installation, { timeZone, isClockSettled, log, observeFailure });
  };
  return startStockLoop({ stock, profiles, loadRefillSite, stockPoke, syncIntervalS, monotonicMs, log });
}

export function makeEndedTurn(
  installation: Installation,
  { readOtherClocks, log }: { readOtherClocks: () => Promise<OtherClock[]>; log: Log },
) {
  const { sites, settings, endedVouchers, readTrustedTime, withLease, clock } = installation;
  const monotonicMs = () => performance.now();
  return makeEndedVouchersTurn({
    isClockSettled: makeIsClockSettled({ clock, monotonicMs, readOtherClocks }),
    ...{ sites, settings, endedVouchers, readTrustedTime, withLease, monotonicMs, log },
    loadDeleteEnded: () => loadDeleteEnded(installation, log),
  });
}

/** Loaded with the first voucher that has reached its end, because most installations have no such vouchers. */
async function loadDeleteEnded(installation: Installation, log: Log) {
  const { makeDeviceDisconnector } = await import('../kernel/vouchers/disconnect-devices.ts');
  const { makeDeleteEnded } = await import('../kernel/vouchers/ended-vouchers.ts');
  const { sites, endedVouchers, usage, controllerOf, noteAudit, timeout } = installation;
  const devices = makeDeviceDisconnector({ sites, controllerOf, noteAudit, timeout, log });
  return makeDeleteEnded({ endedVouchers, usage, controllerOf, devices, timeout });
}

async function loadChannels(): Promise<ChannelKind[]> {
  return (await Promise.all(FEATURES.map(async ({ channel }) => (await channel?.()) ?? []))).flat();
}

/** Starts one loop for each channel, which sends the messages of the channel. */
function startMessageLoops(channels: ChannelKind[], installation: Installation, parts: Parts): Loop[] {
  const { config, metrics, drawJob, log, pace } = parts;
  const { messages: queue, withLease } = installation;
  const judgeAttempt = makeJudgeAttempt({ random: Math.random, pace });
  return channels.map(({ tries, open }) => {
    const channel = open(installation, { drawJob, timeZone: config.timeZone, pace });
    const observe = (outcome: 'delivered' | 'failed') => metrics.count(tries, { outcome });
    const sendTo = makeSendTo({ channel, queue, judgeAttempt, withLease, log, observe, pace });
    return startMessageLoop({ channel, queue, sendTo, log, pace });
  });
}

/** Called only if this machine's clock must be confirmed, so the module that reads other clocks is loaded only then. */
async function readOtherClocksLate(installation: Installation, config: Config) {
  const { readOtherClocks } = await import('../kernel/clock-check/other-clocks-use-case.ts');
  return readOtherClocks(installation, config);
}
