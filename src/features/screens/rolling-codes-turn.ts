// Takes off rolling codes that are a day old and at which nobody looks. While somebody looks, each look replaces an old
// code itself. Does nothing while the clock is doubted.

import type { ReadTrustedTime } from '../../kernel/clock-check/clock-check.ts';
import type { Log } from '../../platform/log/log.ts';
import type { RollingStore } from './rolling-code.ts';

const EVERY_MS = 60_000;

interface Deps {
  rolling: Pick<RollingStore, 'takeOffUnseen'>;
  readTrustedTime: ReadTrustedTime;
  log: Log;
}

export function makeTakeOffOldCodes({ rolling, readTrustedTime, log }: Deps) {
  return async function takeOffOldCodes(): Promise<number> {
    const time = await readTrustedTime();
    const codes = time ? await rolling.takeOffUnseen(time.nowMs) : 0;
    if (codes > 0) log.info({ codes }, 'rolling codes taken off that nobody looked at');
    return EVERY_MS;
  };
}
