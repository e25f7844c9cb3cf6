// Checks whether the service is ready. The database is probed with a small write at most once a second, and with a write
// that needs space on its disk at most every 30 seconds, because the small write may fit on a disk that is full.

import { type StorageErrorReason, sayStorageError } from '../domain/health/storage-errors.ts';

const PROBE_EVERY_MS = 1_000;
const TRY_WRITE_EVERY_MS = 30_000;
const NOT_WRITABLE = 'database cannot be written';

interface Deps {
  /** False until the set-up at start is complete: the configured first administrator or demo then exists. */
  isSetupDone: () => boolean;
  isDraining: () => boolean;
  probeWrite: () => Promise<void>;
  tryWrite: () => Promise<void>;
  /** The error of the disk that a write, also one of the probes, met within the last minute. */
  recentStorageError: () => StorageErrorReason | undefined;
  reasonOf: (error: unknown) => StorageErrorReason | undefined;
}

/** Returns the reasons why the service is not ready; an empty list if it is ready. */
type FindReadinessFailures = () => Promise<string[]>;

export function makeFindReadinessFailures(deps: Deps): FindReadinessFailures {
  const { isSetupDone, isDraining, probeWrite, tryWrite, recentStorageError, reasonOf } = deps;
  const probe = repeated(PROBE_EVERY_MS, () =>
    probeWrite().then(
      () => [],
      (error) => [sayNotWritable(reasonOf(error))],
    ),
  );
  // If the disk is the reason for a failure, it is among the recent errors; other reasons show in the small probe.
  const tryDisk = repeated(TRY_WRITE_EVERY_MS, () => tryWrite().catch(() => {}));

  return async function findReadinessFailures() {
    if (isDraining()) return ['shutting down'];
    if (!isSetupDone()) return ['starting'];
    const [failures] = await Promise.all([probe(), tryDisk()]);
    const recent = recentStorageError();
    return recent ? [sayNotWritable(recent)] : failures;
  };
}

function sayNotWritable(reason: StorageErrorReason | undefined): string {
  return reason ? `${NOT_WRITABLE}: ${sayStorageError(reason)}` : NOT_WRITABLE;
}

/** Does the work at most once in this time, and returns its last result until then. */
function repeated<Value>(everyMs: number, work: () => Promise<Value>): () => Promise<Value> {
  let last: { startedAt: number; result: Promise<Value> } | undefined;
  return () => {
    if (!last || performance.now() - last.startedAt > everyMs)
      last = { startedAt: performance.now(), result: work() };
    return last.result;
  };
}
