// Runs a job again and again: first at once, then after each pause, never twice at a time. A job that
// throws is logged and tried again after the next pause.

import type { Log } from '../domain/log.ts';

export interface Loop {
  /** Resolves when the job under way, if any, has ended; it will not start again. */
  stop(): Promise<void>;
}

interface Plan {
  name: string;
  log: Log;
  /** Does the work and says how long to pause. */
  run: () => Promise<number>;
  pauseAfterFailureMs: number;
}

export function startLoop({ name, log, run, pauseAfterFailureMs }: Plan): Loop {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let underWay = Promise.resolve();

  function begin(): void {
    underWay = turn();
  }

  async function turn(): Promise<void> {
    let pauseMs = pauseAfterFailureMs;
    try {
      pauseMs = await run();
    } catch (error) {
      log.error({ worker: name, err: error }, 'background work failed, will try again');
    }
    if (!stopped) timer = setTimeout(begin, pauseMs).unref();
  }

  begin();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}
