// Decides when the log is copied into the database file. A worker thread copies it, because copying waits for the disk.
// The worker is started for the first checkpoint, so commands that write little do not need it.

import type { DatabaseSync } from 'node:sqlite';
import { MAX_RESTING_LOG_BYTES } from './connection.ts';
import type { GroupCommit } from './group-commit.ts';

/**
 * `copy` runs beside the writes of the service. `restart` copies the rest, and the next commit then writes at the
 * beginning of the log; no write of the service may run meanwhile.
 */
export type CheckpointStep = 'copy' | 'restart';

export interface CheckpointWorkerData {
  file: string;
  maxRestingLogBytes: number;
}

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
  let thread: Thread | undefined;
  let running: Promise<void> | undefined;
  let changesBefore = 0;

  async function checkpoint(): Promise<void> {
    try {
      thread ??= startThread(file);
      const { run } = thread;
      await run('copy');
      await betweenBatches(() => run('restart'));
    } catch (error) {
      const ended = thread?.end();
      thread = undefined;
      await ended;
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
      await thread?.end();
    },
  };
}

type Thread = ReturnType<typeof startThread>;

function startThread(file: string) {
  const workerData: CheckpointWorkerData = { file, maxRestingLogBytes: MAX_RESTING_LOG_BYTES };
  // Loaded here, because an idle service does without it.
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  const worker = new Worker(new URL(import.meta.resolve('#checkpoint-worker')), { workerData });
  let step = Promise.withResolvers<void>();
  let failure: Error | undefined;
  const fail = (error: Error) => {
    failure ??= error;
    step.reject(failure);
  };
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the thread that copies the log has ended')));
  worker.on('message', ({ error }: CheckpointResponse) => {
    if (error) step.reject(Object.assign(new Error(error.message), { errcode: error.errcode }));
    else step.resolve();
  });

  return {
    async run(name: CheckpointStep): Promise<void> {
      if (failure) throw failure;
      step = Promise.withResolvers();
      // Keeps the process alive during the step. Between steps, the thread does not.
      worker.ref();
      worker.postMessage(name);
      await step.promise.finally(() => worker.unref());
    },
    end: () => worker.terminate(),
  };
}
