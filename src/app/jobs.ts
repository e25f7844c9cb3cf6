// Starts the background jobs of the service.

import { CHANNELS } from '../channels/channels.ts';
import type { DrawJob } from '../channels/printer/draw-job.ts';
import type { Config } from '../config/config.ts';
import { makeContinueBatches } from '../domain/batches/create-batch.ts';
import type { Instance } from '../domain/instances/instance.ts';
import type { Log } from '../domain/log.ts';
import { makeJudgeAttempt } from '../domain/messages/judge-attempt.ts';
import { makeSendTo } from '../domain/messages/send-messages.ts';
import type { RevokeReplaced } from '../domain/vouchers/replaced-vouchers.ts';
import type { SettleIntents } from '../domain/vouchers/settle-intents.ts';
import type { SyncSite } from '../domain/vouchers/sync-site.ts';
import type { Metrics } from '../observe/metrics.ts';
import { makeBatchesTurn } from '../workers/batches.ts';
import { startBulkRevocationsLoop } from '../workers/bulk-revocations.ts';
import { makeCleanUpTurn } from '../workers/clean-up.ts';
import { makeClockCheckTurn, type OtherClock } from '../workers/clock-check.ts';
import { makeEndedVouchersTurn } from '../workers/ended-vouchers.ts';
import { makeInstanceTurn } from '../workers/instance.ts';
import type { SavedLastUsed } from '../workers/last-used.ts';
import { type Loop, startLoop } from '../workers/loop.ts';
import { startMessageLoop } from '../workers/messages.ts';
import { makeNameSortKeyTurn } from '../workers/name-sort-keys.ts';
import { makeReplacedVouchersTurn } from '../workers/replaced-vouchers.ts';
import { makeRetentionTurn } from '../workers/retention.ts';
import { makeTakeOffOldCodes } from '../workers/rolling-codes.ts';
import { makeSearchIndexTurn } from '../workers/search-index.ts';
import { makeSettleTurn } from '../workers/settle.ts';
import { makeIsClockSettled } from '../workers/settled-clock.ts';
import { makeShownCodesTurn } from '../workers/shown-codes.ts';
import { startStockLoop } from '../workers/stock.ts';
import { startSyncLoops } from '../workers/sync.ts';
import type { BackgroundWork } from './background-work.ts';
import { makeBackupTurns } from './backup-jobs.ts';
import { type FillParts, makeFillDeps } from './batch-use-cases.ts';
import type { Installation } from './installation.ts';
import { makeRevocationUseCases } from './revocation-use-cases.ts';

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
      CHANNELS.map(({ rules }) => rules),
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
    ...startMessageLoops(installation, parts),
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
  const { observeStockFailure: observeFailure } = metrics;
  const loadRefillSite = async () => {
    const { makeRefillUseCase } = await import('./refill-use-case.ts');
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
  const { makeDeviceDisconnector } = await import('../domain/vouchers/disconnect-devices.ts');
  const { makeDeleteEnded } = await import('../domain/vouchers/ended-vouchers.ts');
  const { sites, endedVouchers, usage, controllerOf, noteAudit, timeout } = installation;
  const devices = makeDeviceDisconnector({ sites, controllerOf, noteAudit, timeout, log });
  return makeDeleteEnded({ endedVouchers, usage, controllerOf, devices, timeout });
}

/** Starts one loop for each channel, which sends the messages of the channel. */
function startMessageLoops(installation: Installation, parts: Parts): Loop[] {
  const { config, metrics, drawJob, log, pace } = parts;
  const { messages: queue, withLease, clock, webhooks, deliveries, webhookTargets } = installation;
  const { mailServer, mails, mailTexts, finder, sites, slips, images, settings } = installation;
  const { guestLinks, invitations, readPublicUrl, readTrustedTime, printers, printJobs } = installation;
  const { timeZone } = config;
  const channelParts = {
    ...{ clock, webhooks, deliveries, webhookTargets, pace },
    ...{ mailServer, mails, mailTexts, finder, sites, slips, images, settings, timeZone },
    ...{ guestLinks, invitations, readPublicUrl, readTrustedTime, printers, printJobs, drawJob },
  };
  const judgeAttempt = makeJudgeAttempt({ random: Math.random, pace });
  const { observeAttempt: observe } = metrics;
  return CHANNELS.map(({ open }) => {
    const channel = open(channelParts);
    const sendTo = makeSendTo({ channel, queue, judgeAttempt, withLease, log, observe, pace });
    return startMessageLoop({ channel, queue, sendTo, log, pace });
  });
}

/** Called only if this machine's clock must be confirmed, so the module that reads other clocks is loaded only then. */
async function readOtherClocksLate(installation: Installation, config: Config) {
  const { readOtherClocks } = await import('./other-clocks.ts');
  return readOtherClocks(installation, config);
}
