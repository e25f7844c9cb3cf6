// Prometheus metrics: HTTP requests, backups, the disk under the database, the state of the process, and what the
// kernel and the features declare. The format is plain text, so no library is needed.

import { type BackupRecord, type BackupState, newestBackup } from '../backup/scheduled-backups.ts';
import type { StorageErrors } from '../database/tally-storage-errors.ts';
import { makeRequestTally } from '../log/request-tally.ts';
import { makeLoopLag } from './loop-lag.ts';
import { type Count, type Counter, counter, gauge, joinLabels, labelled, type Metric } from './metric.ts';

interface Deps {
  version: string;
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

/** `loadDeclared`: loads the metrics of the kernel and of the features. Called with the first request for metrics. */
export function makeMetrics(
  { version, countStorageErrors, backups }: Deps,
  loadDeclared: () => Promise<readonly Metric[]>,
) {
  const requests = makeRequestTally();
  const counted = new Map<Counter, Record<string, number>>();
  let backupFailures = 0;
  const loopLag = makeLoopLag();
  const own: Metric[] = [
    {
      place: 10,
      read: () =>
        gauge('gastpass_build_info', 'The version of this release, as a label', {
          [`version="${version}"`]: 1,
        }),
    },
    { place: 40, read: () => (backups ? readBackups(backups) : '') },
    {
      place: 60,
      read: () =>
        counter(
          'gastpass_backup_failures_total',
          'Scheduled backups that failed on this instance',
          backups && backupFailures,
        ) +
        counter(
          'gastpass_storage_errors_total',
          'Writes that failed because of the disk under the database, by reason',
          labelled('reason', Object.entries(countStorageErrors())),
        ),
    },
    { place: 220, read: () => readProcess(loopLag.p99S()) },
  ];

  function valuesOf(counter: Counter): Record<string, number> {
    const values =
      counted.get(counter) ?? Object.fromEntries(counter.startsWith.map((labels) => [joinLabels(labels), 0]));
    counted.set(counter, values);
    return values;
  }

  return {
    observeRequest: requests.observe,
    observeBackupFailure() {
      backupFailures++;
    },
    count: ((counter, labels, amount = 1) => {
      const values = valuesOf(counter);
      const key = joinLabels(labels);
      values[key] = (values[key] ?? 0) + amount;
    }) satisfies Count,
    async render() {
      const metrics = [...own, ...(await loadDeclared())].sort((one, other) => one.place - other.place);
      let text = '';
      for (const metric of metrics)
        text += 'read' in metric ? await metric.read() : counter(metric.name, metric.help, valuesOf(metric));
      return { contentType: 'text/plain; version=0.0.4; charset=utf-8', text: text + requests.render() };
    },
    stop: loopLag.stop,
  };
}

function readProcess(loopLagS: number): string {
  const { rss, heapUsed } = process.memoryUsage();
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  return [
    counter('process_cpu_seconds_total', 'Processor time used', (userCPUTime + systemCPUTime) / 1e6),
    gauge('process_resident_memory_bytes', 'Memory held by the process', rss),
    gauge('nodejs_heap_size_used_bytes', 'Memory in use by JavaScript', heapUsed),
    gauge(
      'nodejs_eventloop_lag_p99_seconds',
      'How late the event loop comes to its work, 99th percentile of the last full minute',
      loopLagS,
    ),
    gauge(
      'process_start_time_seconds',
      'When the process started',
      Math.round(performance.timeOrigin / 1000),
    ),
  ].join('');
}

/** Time and size are those of the newest backup whose file still exists unchanged, not of the newest record. */
async function readBackups({ list, stateOf, intervalS }: NonNullable<Deps['backups']>): Promise<string> {
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
    gauge('gastpass_backup_interval_seconds', 'How often a backup is made', intervalS),
    gauge(
      'gastpass_backup_newest_timestamp_seconds',
      'When the newest scheduled backup that is still there was begun, 0 for never',
      records && (there?.startedAtMs ?? 0) / 1000,
    ),
    gauge(
      'gastpass_backup_newest_bytes',
      'The size of the newest scheduled backup that is still there',
      records && (there?.bytes ?? 0),
    ),
    gauge(
      'gastpass_backup_newest_intact',
      'Whether the file of the newest scheduled backup can be found and has its size, if this instance made it',
      state && Number(state === 'intact'),
    ),
  ].join('');
}
