// How late the event loop comes to its work. The value is that of the last full minute, so it falls again after a busy
// minute, and any number of readers see the same value.

import { monitorEventLoopDelay } from 'node:perf_hooks';

const WINDOW_MS = 60_000;

/** The delays since the last reset, in nanoseconds. */
type Delays = Pick<ReturnType<typeof monitorEventLoopDelay>, 'percentile' | 'reset' | 'disable'>;

function monitorDelays(): Delays {
  const delays = monitorEventLoopDelay();
  delays.enable();
  return delays;
}

export function makeLoopLag(delays: Delays = monitorDelays()) {
  let lastMinute: number | undefined;
  const readP99 = () => delays.percentile(99) / 1e9;
  const timer = setInterval(() => {
    lastMinute = readP99();
    delays.reset();
  }, WINDOW_MS).unref();

  return {
    /** The 99th percentile of the last full minute in seconds; during the first minute, of the time since the start. */
    p99S: () => lastMinute ?? readP99(),
    stop() {
      clearInterval(timer);
      delays.disable();
    },
  };
}
