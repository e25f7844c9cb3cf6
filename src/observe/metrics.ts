// Prometheus metrics: HTTP requests, site syncs, open intents, webhook deliveries and the state of the process. The
// format is plain text, so no library is needed.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Backlog, Backlogs } from '../domain/backlogs.ts';
import { type BackupRecord, type BackupState, newestBackup } from '../domain/backups/scheduled-backups.ts';
import type { ReadTrustedTime } from '../domain/clock-check/clock-check.ts';
import type { StorageErrors } from '../domain/health/storage-errors.ts';
import type { SiteId } from '../domain/ids.ts';
import type { KeyRefusal } from '../domain/keys/verify-key.ts';
import { CHECK_RESULTS, type CheckResult } from '../domain/sessions/web-session.ts';
import { isFailing, type SiteSync, type SyncStore } from '../domain/sites/site-sync.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';
import { makeRequestTally } from './request-tally.ts';

/** These series start at 0: if a series starts at 1, Prometheus does not count that 1 as an increase. */
const FAILED_LOGINS = ['wrong-credentials', 'wrong-confirmation', 'wrong-code', 'wait', 'unknown-device'];

interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge';
  /** Keyed by labels in Prometheus syntax; '' for no labels. */
  values: Record<string, number>;
}

interface Deps {
  version: string;
  readBacklogs: () => Promise<Backlogs>;
  listSyncs: SyncStore['list'];
  listWebhooks: () => Promise<Webhook[]>;
  readTrustedTime: ReadTrustedTime;
  countStorageErrors: StorageErrors['counts'];
  /** Undefined if the service makes no backups. */
  backups?: {
    list: () => Promise<BackupRecord[]>;
    /** Undefined for a backup of another instance, whose folder this instance does not see. */
    stateOf: (record: BackupRecord) => Promise<BackupState | undefined>;
    intervalS: number;
  };
}

export type Metrics = ReturnType<typeof makeMetrics>;

export function makeMetrics(deps: Deps) {
  const { version, readBacklogs, listSyncs, listWebhooks, readTrustedTime, backups } = deps;
  const { countStorageErrors } = deps;
  const requests = makeRequestTally();
  const settled = { recorded: 0, forgotten: 0 };
  const webhookAttempts = { delivered: 0, failed: 0 };
  const logins = Object.fromEntries(FAILED_LOGINS.map((result) => [`result="${result}"`, 0]));
  const checks = Object.fromEntries(CHECK_RESULTS.map((result) => [`result="${result}"`, 0]));
  const keyRefusals: Record<string, number> = {};
  const voucherFailures: Record<string, number> = {};
  let backupFailures = 0;
  const loopDelay = monitorEventLoopDelay();
  loopDelay.enable();

  async function collect(): Promise<Metric[]> {
    const { rss, heapUsed } = process.memoryUsage();
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    // If the database is unavailable, these values are omitted; the other metrics are needed all the more then.
    const syncs = [...(await listSyncs().catch(() => new Map<SiteId, SiteSync>()))];
    const webhooks = await listWebhooks().catch(() => []);
    const backlogs = await readBacklogs().catch(() => undefined);
    const clockDoubted = await readTrustedTime().then(
      (time) => ({ '': time ? 0 : 1 }),
      () => ({}),
    );
    return [
      {
        name: 'gastpass_build_info',
        help: 'The version of this release, as a label',
        type: 'gauge',
        values: { [`version="${version}"`]: 1 },
      },
      {
        name: 'gastpass_site_synced_timestamp_seconds',
        help: 'When a site was last synced with its controller',
        type: 'gauge',
        values: Object.fromEntries(
          syncs.map(([id, { syncedAtMs }]) => [`site="${id}"`, (syncedAtMs ?? 0) / 1000]),
        ),
      },
      {
        name: 'gastpass_site_sync_failing',
        help: 'Whether the last sync of a site with its controller failed',
        type: 'gauge',
        values: Object.fromEntries(syncs.map(([id, sync]) => [`site="${id}"`, isFailing(sync) ? 1 : 0])),
      },
      ...describeBacklog('outbox', backlogs?.outbox),
      ...describeBacklog('intents', backlogs?.intents),
      ...describeBacklog('deliveries', backlogs?.deliveries),
      ...describeBacklog('revocations', backlogs?.revocations),
      ...(backups ? await describeBackups(backups) : []),
      {
        name: 'gastpass_clock_doubted',
        help: 'Whether the clock is doubted, so that nothing is deleted by age',
        type: 'gauge',
        values: clockDoubted,
      },
      {
        name: 'gastpass_backup_failures_total',
        help: 'Scheduled backups that failed on this instance',
        type: 'counter',
        values: backups ? { '': backupFailures } : {},
      },
      {
        name: 'gastpass_storage_errors_total',
        help: 'Writes that failed because of the disk under the database, by reason',
        type: 'counter',
        values: Object.fromEntries(
          Object.entries(countStorageErrors()).map(([reason, count]) => [`reason="${reason}"`, count]),
        ),
      },
      {
        name: 'gastpass_logins_total',
        help: 'Attempts to log in to the web interface, by result',
        type: 'counter',
        values: logins,
      },
      {
        name: 'gastpass_session_checks_total',
        help: 'Sessions checked at the identity provider, by result',
        type: 'counter',
        values: checks,
      },
      {
        name: 'gastpass_api_keys_refused_total',
        help: 'Requests refused because of their API key, by reason',
        type: 'counter',
        values: keyRefusals,
      },
      {
        name: 'gastpass_voucher_failures_total',
        help: 'Orders that did not get their vouchers, by site and reason',
        type: 'counter',
        values: voucherFailures,
      },
      {
        name: 'gastpass_webhook_tries_total',
        help: 'Attempts to deliver a notification, by outcome',
        type: 'counter',
        values: {
          'outcome="delivered"': webhookAttempts.delivered,
          'outcome="failed"': webhookAttempts.failed,
        },
      },
      {
        name: 'gastpass_webhook_failing',
        help: 'Whether the last attempt to reach a webhook failed, or a 410 switched the webhook off',
        type: 'gauge',
        values: Object.fromEntries(
          webhooks.map(({ id, active, failures, offBecause }) => [
            `webhook="${id}"`,
            (active && failures > 0) || offBecause !== null ? 1 : 0,
          ]),
        ),
      },
      {
        name: 'gastpass_intents_settled_total',
        help: 'Open intents that were settled, by outcome',
        type: 'counter',
        values: { 'outcome="recorded"': settled.recorded, 'outcome="forgotten"': settled.forgotten },
      },
      {
        name: 'process_cpu_seconds_total',
        help: 'Processor time used',
        type: 'counter',
        values: { '': (userCPUTime + systemCPUTime) / 1e6 },
      },
      {
        name: 'process_resident_memory_bytes',
        help: 'Memory held by the process',
        type: 'gauge',
        values: { '': rss },
      },
      {
        name: 'nodejs_heap_size_used_bytes',
        help: 'Memory in use by JavaScript',
        type: 'gauge',
        values: { '': heapUsed },
      },
      {
        name: 'nodejs_eventloop_lag_p99_seconds',
        help: 'How late the event loop comes to its work, 99th percentile since the start',
        type: 'gauge',
        values: { '': loopDelay.percentile(99) / 1e9 },
      },
      {
        name: 'process_start_time_seconds',
        help: 'When the process started',
        type: 'gauge',
        values: { '': Math.round(performance.timeOrigin / 1000) },
      },
    ];
  }

  return {
    observeRequest: requests.observe,
    observeVoucherFailure: (siteId: SiteId, reason: string) =>
      countBy(voucherFailures, `site="${siteId}",reason="${reason}"`),
    observeSettled(tally: { recorded: number; forgotten: number }) {
      settled.recorded += tally.recorded;
      settled.forgotten += tally.forgotten;
    },
    observeLogin: (result: string) => countBy(logins, `result="${result}"`),
    observeCheck: (result: CheckResult) => countBy(checks, `result="${result}"`),
    observeKeyRefusal: (reason: KeyRefusal['reason']) => countBy(keyRefusals, `reason="${reason}"`),
    observeBackupFailure() {
      backupFailures++;
    },
    observeAttempt(channel: string, outcome: 'delivered' | 'failed') {
      if (channel === 'webhook') webhookAttempts[outcome]++;
    },
    async render() {
      const metrics = await collect();
      return {
        contentType: 'text/plain; version=0.0.4; charset=utf-8',
        text: metrics.map(renderMetric).join('') + requests.render(),
      };
    },
    stop: () => loopDelay.disable(),
  };
}

function countBy(values: Record<string, number>, labels: string): void {
  values[labels] = (values[labels] ?? 0) + 1;
}

/** The metrics of each backlog: the name and meaning of its length, and the name of the age of its oldest entry. */
const BACKLOGS = {
  outbox: ['outbox_waiting', 'Notifications that are not assigned to webhooks yet', 'outbox'],
  intents: ['intents_open', 'Orders to controllers whose outcome is not known yet', 'intents'],
  deliveries: ['deliveries_waiting', 'Notifications that are not delivered yet', 'deliveries'],
  revocations: ['bulk_revocations_running', 'Bulk revocations that have not ended', 'bulk_revocations'],
} as const satisfies Record<keyof Backlogs, readonly [string, string, string]>;

function describeBacklog(name: keyof Backlogs, backlog: Backlog | undefined): Metric[] {
  const [length, help, subject] = BACKLOGS[name];
  return [
    { name: `gastpass_${length}`, help, type: 'gauge', values: backlog ? { '': backlog.count } : {} },
    {
      name: `gastpass_${subject}_oldest_seconds`,
      help: 'How long the oldest entry has waited',
      type: 'gauge',
      values: backlog ? { '': backlog.oldestMs / 1000 } : {},
    },
  ];
}

/** The newest backup that is there counts, not the newest record. */
async function describeBackups({
  list,
  stateOf,
  intervalS,
}: NonNullable<Deps['backups']>): Promise<Metric[]> {
  const records = await list().catch(() => undefined);
  const newest = records && newestBackup(records);
  const state = newest && (await stateOf(newest));
  let left = records ?? [];
  let there = newest;
  for (let seen = state; there && (seen === 'gone' || seen === 'changed'); ) {
    left = left.slice(0, left.indexOf(there));
    there = newestBackup(left);
    seen = there && (await stateOf(there));
  }
  return [
    {
      name: 'gastpass_backup_interval_seconds',
      help: 'How often a backup is made',
      type: 'gauge',
      values: { '': intervalS },
    },
    {
      name: 'gastpass_backup_newest_timestamp_seconds',
      help: 'When the newest scheduled backup that is still there was begun, 0 for never',
      type: 'gauge',
      values: records ? { '': (there?.startedAtMs ?? 0) / 1000 } : {},
    },
    {
      name: 'gastpass_backup_newest_bytes',
      help: 'The size of the newest scheduled backup that is still there',
      type: 'gauge',
      values: records ? { '': there?.bytes ?? 0 } : {},
    },
    {
      name: 'gastpass_backup_newest_intact',
      help: 'Whether the file of the newest scheduled backup can be found and has its size, if this instance made it',
      type: 'gauge',
      values: state ? { '': state === 'intact' ? 1 : 0 } : {},
    },
  ];
}

function renderMetric({ name, help, type, values }: Metric): string {
  const samples = Object.entries(values).map(
    ([labels, value]) => `${name}${labels === '' ? '' : `{${labels}}`} ${value}\n`,
  );
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.join('')}`;
}
