// Limits how many calls to one controller run at once, and decides which waiting call runs next: by priority, and
// within a priority by turns between callers.

import { type FairQueue, makeFairQueue } from '../../../platform/concurrency/fair-queue.ts';
import type { CallPriority } from '../controller.ts';

/** Leaves places to other calls: a sync may take several minutes, and a search of priority `settle` one minute. */
const MAX_PLACES: Partial<Record<CallPriority, number>> = { settle: 6, sync: 2 };
/** After this wait a sync gets the next free place. */
const MAX_SYNC_WAIT_MS = 5_000;

export interface Waiting {
  priority: CallPriority;
  caller: string;
  /** False if the call must no longer start. Called just before the start and, for creations, also by `sweep`. */
  mayStart(position: number): boolean;
}

interface Entry extends Waiting {
  sinceMs: number;
  settle(outcome: 'started' | 'refused'): void;
}

export function makePrioritySemaphore(
  options: { places: number; maxWaiting: number },
  clock: { nowMs(): number },
) {
  const queues: Record<CallPriority, FairQueue<Entry>> = {
    finish: makeFairQueue(),
    settle: makeFairQueue(),
    create: makeFairQueue(),
    sync: makeFairQueue(),
  };
  let running = 0;
  const runningOf: Record<CallPriority, number> = { finish: 0, settle: 0, create: 0, sync: 0 };

  return {
    /**
     * Waits for a place. `started`: the caller has a place and must release it. `refused`: the queue is full, or the
     * call must no longer start. `aborted`: the signal was aborted first.
     */
    acquire(waiting: Waiting, signal: AbortSignal): Promise<'started' | 'refused' | 'aborted'> {
      const { priority, caller } = waiting;
      if (signal.aborted) return Promise.resolve('aborted');
      if (running < options.places && hasRoom(priority)) {
        if (!waiting.mayStart(0)) return Promise.resolve('refused');
        occupy(priority);
        return Promise.resolve('started');
      }
      const queue = queues[priority];
      if (queue.size >= options.maxWaiting) {
        const evicted = queue.evictFor(caller);
        if (!evicted) return Promise.resolve('refused');
        evicted.settle('refused');
      }
      return new Promise((resolve) => {
        const leave = () => {
          queue.remove(caller, entry);
          resolve('aborted');
        };
        const entry: Entry = {
          ...waiting,
          sinceMs: clock.nowMs(),
          settle(outcome) {
            signal.removeEventListener('abort', leave);
            resolve(outcome);
          },
        };
        signal.addEventListener('abort', leave, { once: true });
        queue.push(caller, entry);
      });
    },

    release(priority: CallPriority): void {
      running--;
      runningOf[priority]--;
      startNext();
    },

    /** How many calls would be served before a new creation of this caller. */
    aheadOf: (caller: string) => queues.finish.size + queues.settle.size + queues.create.aheadOf(caller),

    /** Refuses the waiting creations that must no longer start. */
    sweep(): void {
      let position = queues.finish.size + queues.settle.size;
      for (const entry of queues.create.inTurn()) {
        if (entry.mayStart(position)) position++;
        else {
          queues.create.remove(entry.caller, entry);
          entry.settle('refused');
        }
      }
    },
  };

  function occupy(priority: CallPriority): void {
    running++;
    runningOf[priority]++;
  }

  function hasRoom(priority: CallPriority): boolean {
    return runningOf[priority] < (MAX_PLACES[priority] ?? options.places);
  }

  function startNext(): void {
    while (running < options.places) {
      const next = takeNext();
      if (!next) return;
      if (!next.mayStart(0)) {
        next.settle('refused');
        continue;
      }
      occupy(next.priority);
      next.settle('started');
    }
  }

  function takeNext(): Entry | undefined {
    const sync = hasRoom('sync') ? queues.sync.peek() : undefined;
    if (sync && clock.nowMs() - sync.sinceMs > MAX_SYNC_WAIT_MS) return queues.sync.shift();
    const settle = () => (hasRoom('settle') ? queues.settle.shift() : undefined);
    return queues.finish.shift() ?? settle() ?? queues.create.shift() ?? (sync && queues.sync.shift());
  }
}
