// Continues bulk revocations whose process was stopped or killed. A long one does not delay the others.

import { type Loop, startLoop } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { ResumeBulkRevocations } from '../run-bulk-revocation.ts';

const EVERY_MS = 10_000;

export function startBulkRevocationsLoop(
  resumeBulkRevocations: ResumeBulkRevocations,
  { log, pauseAfterFailureMs }: { log: Log; pauseAfterFailureMs: number },
): Loop {
  const name = 'revocations';
  const loop = startLoop({
    name,
    log,
    pauseAfterFailureMs,
    async run(signal) {
      await resumeBulkRevocations.start(signal, (error) =>
        log.error({ worker: name, err: error }, 'a bulk revocation broke off, will be continued'),
      );
      return EVERY_MS;
    },
  });
  return {
    async stop() {
      await loop.stop();
      await resumeBulkRevocations.ended();
    },
  };
}
