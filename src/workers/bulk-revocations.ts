// Continues bulk revocations whose process was stopped or killed. A long one does not delay the others.

import type { Log } from '../domain/log.ts';
import type { ResumeBulkRevocations } from '../domain/vouchers/run-bulk-revocation.ts';
import { type Loop, startLoop } from './loop.ts';

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
