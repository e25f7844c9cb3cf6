// Loaded into the measured service before its own code. On SIGUSR2 it writes the longest block of the event loop since
// the last signal, in milliseconds, to a file in the data folder.

import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION_MS = 1;
/** A block that has just ended is known at the next turn of the loop. */
const SETTLE_MS = 5;

if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  const file = join(process.env.DATA_DIR ?? '', 'longest-block');
  process.on('SIGUSR2', () =>
    setTimeout(() => {
      writeFileSync(`${file}.new`, String(delays.max / 1e6 - RESOLUTION_MS));
      renameSync(`${file}.new`, file);
      delays.reset();
    }, SETTLE_MS),
  );
}
