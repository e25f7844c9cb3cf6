// Decides when the service makes a backup, and which of its backups it deletes. It deletes only backups that it has
// recorded (`BackupRecords`), because the folder may also contain backups that the service did not make.

import type { Log } from '../log/log.ts';
import type { Clock } from '../time/clock.ts';

export interface BackupRecord {
  folder: string;
  name: string;
  startedAtMs: number;
  /** Null while the backup is being written. */
  bytes: number | null;
  /** The machine that made the backup. Set only on PostgreSQL, where instances on several machines share records. */
  host?: string | undefined;
}

/** `changed`: the file has another size than when it was made. `unreadable`: the folder cannot be read now. */
export type BackupState = 'intact' | 'gone' | 'changed' | 'unreadable';

/** The backups that services of this installation have made and not deleted, the oldest first. */
export interface BackupRecords {
  list(): Promise<BackupRecord[]>;
  add(record: BackupRecord): Promise<void>;
  finish(record: BackupRecord, bytes: number): Promise<void>;
  remove(record: BackupRecord): Promise<void>;
}

export interface BackupFailureReports {
  /** Mails the failure to all administrators, unless an earlier failure of the same series was mailed. */
  report(problem: string, atMs: number): Promise<void>;
  /** Ends the series of failures, because a backup was made. */
  end(): Promise<void>;
}

export interface BackupPlace {
  path: string;
  /** The name of this machine. Set only if instances on other machines could also make backups. */
  host: string | undefined;
}

/** The folder for the backups of this instance. */
export interface BackupFolder extends BackupPlace {
  stateOf(record: BackupRecord): Promise<BackupState>;
  /** Writes a backup and checks it. Leaves no file behind if it fails or is aborted. */
  write(name: string, signal: AbortSignal): Promise<{ bytes: number }>;
  /** Deletes the backup, or the unfinished file that a killed process has left of it. */
  delete(name: string): Promise<void>;
}

/**
 * The pause after a backup that was not finished. Without a pause, a process that runs out of memory during each backup
 * would start backups again and again.
 */
const PAUSE_AFTER_KILL_MS = 10 * 60_000;
/** The clocks of two instances are assumed to differ by less than this. */
const CLOCK_TOLERANCE_MS = 60_000;

/** How long until the next backup is due; 0 if it is due now. */
export function untilDueMs(
  records: BackupRecord[],
  { folder, intervalMs, nowMs }: { folder: string; intervalMs: number; nowMs: number },
): number {
  const unfinished = records.findLast(({ bytes }) => bytes === null);
  const sinceMs = unfinished ? nowMs - unfinished.startedAtMs : PAUSE_AFTER_KILL_MS;
  if (sinceMs >= 0 && sinceMs < PAUSE_AFTER_KILL_MS) return PAUSE_AFTER_KILL_MS - sinceMs;
  // A folder without backups gets one at once, for example after BACKUP_DIR was changed.
  if (!records.some((record) => record.folder === folder && record.bytes !== null)) return 0;
  const newestMs = newestBackup(records)?.startedAtMs ?? 0;
  // A backup dated in the future was made with a wrong clock. Do not wait until that time.
  if (newestMs > nowMs + CLOCK_TOLERANCE_MS) return 0;
  return Math.max(0, newestMs + intervalMs - nowMs);
}

/** The last finished backup in the list. Start times are not compared, because the clock may have been wrong. */
export function newestBackup(records: BackupRecord[]): BackupRecord | undefined {
  return records.findLast(({ bytes }) => bytes !== null);
}

/** Whether this instance can see the file of the backup. */
export function isOwnBackup({ folder, host }: BackupRecord, place: BackupPlace): boolean {
  return folder === place.path && (place.host === undefined || host === place.host);
}

interface Deps {
  records: BackupRecords;
  folder: BackupFolder;
  failureReports: Pick<BackupFailureReports, 'end'>;
  /** `keep`: how many backups are kept, at least 1. */
  plan: { intervalMs: number; keep: number };
  clock: Clock;
  /** Undefined while the clock is doubted. */
  readTrustedTime: () => Promise<object | undefined>;
  log: Log;
}

interface Lost {
  record: BackupRecord;
  state: BackupState;
}

/**
 * Makes a backup if one is due, or if the file of the newest one is gone or changed. Only one process at a time may run
 * this. Returns the time until the next backup is due.
 */
export function makeScheduledBackup(deps: Deps) {
  const { records, folder, failureReports, plan, clock, readTrustedTime, log } = deps;
  let replacedAtMs = Number.NEGATIVE_INFINITY;

  /** A backup that was lost is replaced without waiting for the interval. */
  const untilDue = async (lost?: Lost) =>
    untilDueMs(await records.list(), {
      folder: folder.path,
      intervalMs: lost ? 0 : plan.intervalMs,
      nowMs: clock.nowMs(),
    });

  return async function backUpIfDue(signal: AbortSignal): Promise<number> {
    const lost = await findLost();
    const pauseMs = await untilDue(lost);
    if (pauseMs > 0) return pauseMs;
    const startedAtMs = clock.nowMs();
    if (lost) {
      log.warn(
        { file: `${folder.path}/${lost.record.name}`, state: lost.state },
        'the newest backup is gone or was changed: a new one is made',
      );
    }
    const { path, host } = folder;
    const name = nameOf(startedAtMs);
    const record = { folder: path, name, startedAtMs, bytes: null, ...(host !== undefined && { host }) };
    // Record the backup before writing it: if this process dies, the next backup deletes the unfinished file.
    await records.add(record);
    let bytes: number;
    try {
      ({ bytes } = await folder.write(record.name, signal));
    } catch (error) {
      await records.remove(record);
      throw error;
    }
    await records.finish(record, bytes);
    await failureReports.end();
    if (lost) replacedAtMs = startedAtMs;
    log.info(
      { file: `${folder.path}/${record.name}`, bytes, ms: clock.nowMs() - startedAtMs },
      'backup made',
    );
    // A record without a file must not count as one of the backups that are kept.
    if (lost?.state === 'gone') await records.remove(lost.record);
    await deleteOthers(record.name);
    return untilDue();
  };

  /**
   * Checks only the newest backup: if an older one is missing, a newer one exists. A lost backup is replaced at most
   * once per interval, so that a program that moves every backup elsewhere does not cause a new backup every minute.
   */
  async function findLost(): Promise<Lost | undefined> {
    if (Math.abs(clock.nowMs() - replacedAtMs) < plan.intervalMs) return undefined;
    const record = newestBackup(await records.list());
    if (!record || !isOwnBackup(record, folder)) return undefined;
    const state = await folder.stateOf(record);
    return state === 'gone' || state === 'changed' ? { record, state } : undefined;
  }

  /**
   * Deletes unfinished and old backups, but never the backup that was just made. While the clock is doubted, old
   * backups are kept: a clock that jumps causes too many new backups, which would replace all old ones.
   */
  async function deleteOthers(newestName: string): Promise<void> {
    const others = (await records.list()).filter(
      (record) => record.folder === folder.path && record.name !== newestName,
    );
    const finished = others.filter(({ bytes }) => bytes !== null);
    const mayDelete = (await readTrustedTime()) !== undefined;
    const old = mayDelete ? finished.slice(0, Math.max(0, finished.length - plan.keep + 1)) : [];
    for (const record of [...others.filter(({ bytes }) => bytes === null), ...old]) await forget(record);
  }

  /** If the file cannot be deleted, only logs the error. The next backup tries again to delete the file. */
  async function forget(record: BackupRecord): Promise<void> {
    try {
      await folder.delete(record.name);
    } catch (error) {
      log.warn({ err: error, file: `${folder.path}/${record.name}` }, 'an old backup cannot be deleted');
      return;
    }
    await records.remove(record);
  }
}

export const BACKUP_NAME = /^gastpass-\d{8}T\d{6}Z\.backup$/;

/** For example `gastpass-20261116T121500Z.backup`. */
function nameOf(ms: number): string {
  const time = new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');
  return `gastpass-${time}.backup`;
}
