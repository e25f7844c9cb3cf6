// Runs a job repeatedly, with a pause after each turn and never twice at the same time. If the job throws, the error is
// logged and the job runs again after a pause.

import type { Log } from '../log/log.ts';

export interface Loop {
  /** Prevents further turns. Resolves when the running turn, if any, has ended. */
  stop(): Promise<void>;
}

export interface WakefulLoop extends Loop {
  /** Begins a turn at once; if one is running, another one begins when it has ended. */
  wake(): void;
}

interface Plan {
  name: string;
  log: Log;
  /** Does the work and returns the pause in milliseconds. The signal is aborted when the loop stops. */
  run: (signal: AbortSignal) => Promise<number>;
  pauseAfterFailureMs: number;
  /** The pause before the first turn; 0 by default. */
  firstPauseMs?: number;
}

export function startLoop({ name, log, run, pauseAfterFailureMs, firstPauseMs = 0 }: Plan): WakefulLoop {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let isRunning = false;
  let isWoken = false;

  function begin(): void {
    running = turn();
  }

  async function turn(): Promise<void> {
    let pauseMs = pauseAfterFailureMs;
    isRunning = true;
    isWoken = false;
    try {
      pauseMs = await run(stopping.signal);
    } catch (error) {
      log.error({ worker: name, err: error }, 'background work failed, will try again');
    }
    isRunning = false;
    if (!stopping.signal.aborted) timer = setTimeout(begin, isWoken ? 0 : pauseMs).unref();
  }

  if (firstPauseMs > 0) timer = setTimeout(begin, firstPauseMs).unref();
  else begin();
  return {
    wake() {
      isWoken = true;
      if (isRunning || stopping.signal.aborted) return;
      clearTimeout(timer);
      begin();
    },
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
