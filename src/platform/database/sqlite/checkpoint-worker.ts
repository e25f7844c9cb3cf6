// The worker thread that copies the log into the database file. It runs one step per message and responds to each.

import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointResponse, CheckpointStep, CheckpointWorkerData } from './checkpoints.ts';

/** How long a restart waits for reads of the main thread, which are short. It does not wait for a backup. */
const READS_END_MS = 50;

const BUSY = 5;

const { file, maxRestingLogBytes }: CheckpointWorkerData = workerData;
const database = new DatabaseSync(file, { timeout: READS_END_MS });
/** Has a read transaction from the copy to the restart (see `holdLog`). */
const reader = new DatabaseSync(file);
// Here, `normal` means: a checkpoint syncs the log before it copies, and the database file afterwards.
database.exec('pragma synchronous = normal; pragma wal_autocheckpoint = 0');
// The connection that writes at the beginning of the log shortens it.
database.exec(`pragma journal_size_limit = ${maxRestingLogBytes}`);

const STEPS: Record<CheckpointStep, () => void> = {
  copy() {
    holdLog();
    checkpoint('passive');
  },
  restart() {
    reader.exec('rollback');
    if (!checkpoint('restart').busy) writeFirstFrame();
  },
};

/**
 * If the whole log has been copied and no connection reads it, the next commit of the service restarts the log and
 * waits for the sync of its header. An open read transaction prevents this.
 */
function holdLog(): void {
  reader.exec('begin');
  reader.prepare('select 1 from sqlite_schema').get();
}

/** `busy`: another connection uses the log, so the checkpoint was not completed. */
function checkpoint(mode: 'passive' | 'restart'): { busy: boolean } {
  return { busy: database.prepare(`pragma wal_checkpoint(${mode})`).get()?.busy !== 0 };
}

/**
 * The first commit after a restart writes and syncs the header of the log. This commit changes nothing; it is made here
 * so that the service's next commit need not wait for that sync.
 */
function writeFirstFrame(): void {
  database.exec('begin immediate');
  const version = database.prepare('pragma user_version').get()?.user_version;
  database.exec(`pragma user_version = ${version}; commit`);
}

parentPort?.on('message', (step: CheckpointStep) => parentPort?.postMessage(run(step)));

function run(step: CheckpointStep): CheckpointResponse {
  try {
    STEPS[step]();
    return {};
  } catch (error) {
    for (const connection of [database, reader]) if (connection.isTransaction) connection.exec('rollback');
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
    // Another process writes. It does what this step could not do, or the next checkpoint does.
    return (code & 0xff) === BUSY ? {} : { error: { message: String(error), errcode: code } };
  }
}
