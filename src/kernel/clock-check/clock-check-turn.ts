// Renews the heartbeat every hour. While the clock is doubted, compares it with the clocks of other machines every ten
// minutes, and logs when the doubt begins and ends.

import type { Log } from '../../platform/log/log.ts';
import { type Beat, MAX_DIFFERENCE_MS } from './clock-check.ts';

const EVERY_MS = 60 * 60_000;
const EVERY_IN_DOUBT_MS = 10 * 60_000;

/** The clock of another machine, and by how much it is ahead of this machine's clock. */
export interface OtherClock {
  of: string;
  aheadMs: number;
}

interface Deps {
  beat: Beat;
  readOtherClocks: () => Promise<OtherClock[]>;
  log: Log;
}

export function makeClockCheckTurn({ beat, readOtherClocks, log }: Deps) {
  let isDoubted = false;

  return async function clockCheckTurn(): Promise<number> {
    const { doubt, heartbeatMs } = await beat();
    if (doubt === null) {
      if (isDoubted) log.warn({}, 'the clock is trusted again: records are deleted by age');
      isDoubted = false;
      return EVERY_MS;
    }
    if (!isDoubted)
      log.warn(
        { clock: toText(doubt.seenMs), heartbeat: toText(heartbeatMs) },
        'the clock is more than a day ahead of the last heartbeat: nothing is deleted by age until it is confirmed',
      );
    isDoubted = true;
    const others = await readOtherClocks();
    const agreeing = others.find(({ aheadMs }) => Math.abs(aheadMs) <= MAX_DIFFERENCE_MS);
    if (!agreeing) return EVERY_IN_DOUBT_MS;
    await beat({ isVouched: true });
    isDoubted = false;
    log.warn({ by: agreeing.of }, 'the clock is confirmed by another machine: records are deleted by age');
    return EVERY_MS;
  };
}

const toText = (ms: number) => new Date(ms).toISOString();
