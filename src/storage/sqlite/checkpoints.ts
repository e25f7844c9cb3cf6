// Decides when the log is copied into the database file. A worker thread copies it, because copying waits for the disk.
// The worker is started for the first checkpoint, so commands that write little do not need it.

import { once } from 'node:events';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { GroupCommit } from './group-commit.ts';

/**
 * `copy` runs beside the writes of the service. `restart` copies the rest, and the next commit then writes at the
 * beginning of the log; no write of the service may run meanwhile.
 */
export type CheckpointStep = 'copy' | 'restart';

export interface CheckpointResponse {
  error?: { message: string; errcode: number };
}

/** Changed rows. Some 160 vouchers change so many, which takes about 10 MB of log. */
const CHANGES_PER_CHECKPOINT = 1_000;

interface Options {
  raw: DatabaseSync;
  betweenBatches: GroupCommit['betweenBatches'];
  /** Called if a checkpoint fails. Nothing is lost: the log grows until a later checkpoint succeeds. */
  onError: (error: unknown) => void;
}

export function makeCheckpoints(file: string, { raw, betweenBatches, onError }: Options) {
  const countChanges = raw.prepare('select total_changes() as count');
  let worker: Worker | undefined;
  let running: Promise<void> | undefined;
  let changesBefore = 0;

  async function checkpoint(): Promise<void> {
    const thread =
      worker ?? new Worker(new URL(import.meta.resolve('#checkpoint-worker')), { workerData: file });
    worker = thread;
    // Keeps the process alive during the checkpoint. Between checkpoints, the thread does not keep the process alive.
    thread.ref();
    try {
      await run(thread, 'copy');
      await betweenBatches(() => run(thread, 'restart'));
      thread.unref();
    } catch (error) {
      worker = undefined;
      await thread.terminate();
      onError(error);
    }
  }

  return {
    noteCommit(): void {
      const changes = Number(countChanges.get()?.count);
      if (running || changes - changesBefore < CHANGES_PER_CHECKPOINT) return;
      changesBefore = changes;
      running = checkpoint().finally(() => {
        running = undefined;
      });
    },
    async close(): Promise<void> {
      await running;
      await worker?.terminate();
    },
  };
}

async function run(worker: Worker, step: CheckpointStep): Promise<void> {
  // Rejects if the thread throws.
  const responding = once(worker, 'message');
  worker.postMessage(step);
  const { error }: CheckpointResponse = (await responding)[0];
  if (error) throw Object.assign(new Error(error.message), { errcode: error.errcode });
}
