// Work that continues after the response to its request. The service waits for this work when it stops.

import type { Log } from '../log/log.ts';

export interface BackgroundWork {
  /** Returns a promise that never rejects. */
  run(work: Promise<unknown>): Promise<unknown>;
  ended(): Promise<unknown>;
}

export function makeBackgroundWork(log: Log): BackgroundWork {
  const running = new Set<Promise<unknown>>();
  return {
    run(work) {
      const ended = work
        .catch((error) => log.error({ err: error }, 'work that went on after its request broke off'))
        .finally(() => running.delete(ended));
      running.add(ended);
      return ended;
    },
    ended: () => Promise.all(running),
  };
}
