// Checks whether the service is ready. The database is probed with a small write at most once a second. The small write
// may succeed although the disk is full, so a write that needs disk space is tried at most every 30 seconds.

import { type StorageErrorReason, sayStorageError } from '../database/tally-storage-errors.ts';

const PROBE_EVERY_MS = 1_000;
const TRY_WRITE_EVERY_MS = 30_000;
const NOT_WRITABLE = 'database cannot be written';

interface Deps {
  /** False until the set-up at start has created the configured first administrator or the demo, if any. */
  isSetupDone: () => boolean;
  isDraining: () => boolean;
  probeWrite: () => Promise<void>;
  tryWrite: () => Promise<void>;
  /** The disk error with which a write failed in the last minute. The writes of the probes count, too. */
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
  // Errors are ignored here: `recentStorageError` reports errors of the disk, and the small probe reports all others.
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

/** Calls `work` at most once per `everyMs`. In between, returns the last result. */
function repeated<Value>(everyMs: number, work: () => Promise<Value>): () => Promise<Value> {
  let last: { startedAt: number; result: Promise<Value> } | undefined;
  return () => {
    if (!last || performance.now() - last.startedAt > everyMs)
      last = { startedAt: performance.now(), result: work() };
    return last.result;
  };
}
