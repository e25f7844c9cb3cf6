// Runs a job again and again, with a pause after each turn, never twice at a time. A job that
// throws is logged and tried again after the next pause.

import type { Log } from '../domain/log.ts';

export interface Loop {
  /** Resolves when the job under way, if any, has ended; it will not start again. */
  stop(): Promise<void>;
}

interface Plan {
  name: string;
  log: Log;
  /** Does the work and says how long to pause. The signal ends when the loop is told to stop. */
  run: (signal: AbortSignal) => Promise<number>;
  pauseAfterFailureMs: number;
  /** Before the first turn; none unless told otherwise. */
  firstPauseMs?: number;
}

export function startLoop({ name, log, run, pauseAfterFailureMs, firstPauseMs = 0 }: Plan): Loop {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  function begin(): void {
    running = turn();
  }

  async function turn(): Promise<void> {
    let pauseMs = pauseAfterFailureMs;
    try {
      pauseMs = await run(stopping.signal);
    } catch (error) {
      log.error({ worker: name, err: error }, 'background work failed, will try again');
    }
    if (!stopping.signal.aborted) timer = setTimeout(begin, pauseMs).unref();
  }

  if (firstPauseMs > 0) timer = setTimeout(begin, firstPauseMs).unref();
  else begin();
  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
