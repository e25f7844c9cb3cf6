// Runs write jobs one after another in shared transactions: all jobs that are waiting when the writer becomes free
// share one sync to disk. Each job of a shared transaction has a savepoint, so that a failure rolls back only that job.
// The sync runs in another thread. Reads see a commit before it is synced, but a job gets its result only afterwards.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Handle } from '../database.ts';
import { guarded, isBusy, type SqliteConnection } from './connection.ts';
import type { LogSync } from './log-sync.ts';
import type { Written } from './written-data.ts';

const MAX_JOBS_PER_COMMIT = 256;
/** How long to wait for another process (the command line, a backup) that holds the write lock. */
const LOCK_PATIENCE_MS = 5_000;
const LOCK_RETRY_MS = 10;

interface Job {
  /** Does the work. The returned function passes the result to the caller and is called after the commit. */
  run(transaction: Handle): Promise<() => void>;
  reject(error: unknown): void;
}

export type GroupCommit = ReturnType<typeof makeGroupCommit>;

interface Options {
  log: Pick<LogSync, 'open' | 'sync'>;
  /** Called as soon as reads see the commit, with what each of its jobs has written. */
  onCommit: (jobs: Written[]) => void;
}

export function makeGroupCommit(connection: SqliteConnection, { log, onCommit }: Options) {
  const { raw, handle, written } = connection;
  /** These statements are prepared once, because they run for every job or transaction. */
  const steps = {
    begin: raw.prepare('begin immediate'),
    savepoint: raw.prepare('savepoint job'),
    release: raw.prepare('release job'),
    commit: raw.prepare('commit'),
  };
  const waiting: Job[] = [];
  const pauses: (() => Promise<void>)[] = [];
  let running: Promise<void> | undefined;
  let syncing = Promise.resolve();

  const write: Database['write'] = (job) =>
    new Promise((resolve, reject) => {
      const run = async (transaction: Handle) => {
        const value = await job(transaction);
        return () => resolve(value);
      };
      waiting.push({ run, reject });
      running ??= runAll();
    });

  async function runAll(): Promise<void> {
    // Wait, so that the requests of this turn of the event loop join the first batch.
    await new Promise(setImmediate);
    while (waiting.length + pauses.length > 0) {
      await pauses.shift()?.();
      if (waiting.length > 0) await runBatch(waiting.splice(0, MAX_JOBS_PER_COMMIT));
    }
    running = undefined;
  }

  async function runBatch(batch: Job[]): Promise<void> {
    try {
      log.open();
      await beginWhenFree();
      const responses: (() => void)[] = [];
      const writtenByJobs: Written[] = [];
      for (const job of batch) {
        responses.push(await (batch.length === 1 ? job.run(handle) : runJob(job)));
        writtenByJobs.push(written.take());
      }
      guarded(() => steps.commit.run());
      syncing = log.sync();
      onCommit(writtenByJobs);
      await syncing;
      for (const respond of responses) respond();
    } catch (error) {
      for (const job of batch) job.reject(error);
      rollBack();
      written.take();
    }
  }

  function rollBack(): void {
    try {
      if (raw.isOpen && raw.isTransaction) raw.exec('rollback');
    } catch {
      // The error is ignored, because the next batch shows whether the database is usable again.
    }
  }

  /** Throws only if the whole batch is lost. If only this job fails, the returned function rejects the job. */
  async function runJob(job: Job): Promise<() => void> {
    guarded(() => steps.savepoint.run());
    try {
      const respond = await job.run(handle);
      guarded(() => steps.release.run());
      return respond;
    } catch (error) {
      // On errors such as a full disk, SQLite rolls back the whole transaction by itself.
      if (!raw.isOpen || !raw.isTransaction) throw error;
      guarded(() => raw.exec('rollback to job; release job'));
      written.take();
      return () => job.reject(error);
    }
  }

  /** Waits without blocking the event loop: requests are served while another process holds the lock. */
  async function beginWhenFree(): Promise<void> {
    const giveUpAt = performance.now() + LOCK_PATIENCE_MS;
    for (;;) {
      try {
        guarded(() => steps.begin.run());
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > giveUpAt) throw error;
        await sleep(LOCK_RETRY_MS);
      }
    }
  }

  /** Runs a task while no transaction is open. Jobs wait until the task has ended. */
  function betweenBatches(task: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      pauses.push(() => task().then(resolve, reject));
      running ??= runAll();
    });
  }

  async function finish(): Promise<void> {
    while (running) await running;
  }

  return { write, betweenBatches, finish, untilDurable: () => syncing };
}
