// Rate windows in memory, for an installation with a single process (SQLite). The number of windows is bounded by the
// number of API keys, because only requests with a valid key are counted.

import type { Clock } from '../../platform/time/clock.ts';
import type { KeyId } from '../ids.ts';
import { countInWindow, type RateCounter, type RateWindow, verdictOn } from './rate-window.ts';

export function makeMemoryRateCounter(clock: Clock): RateCounter {
  const windows = new Map<KeyId, RateWindow>();
  return {
    count(keyId, limit) {
      const counted = countInWindow(windows.get(keyId), { limit, nowMs: clock.nowMs() });
      windows.set(keyId, counted);
      return verdictOn(1, { limit }, counted);
    },
  };
}
