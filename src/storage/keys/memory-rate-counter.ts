// Rate windows in memory, for an installation that is served by one process (SQLite).
// Bounded by the number of keys, since only requests with a valid key are counted.

import type { Clock } from '../../domain/clock.ts';
import type { KeyId } from '../../domain/ids.ts';
import { countInWindow, type RateCounter, type RateWindow } from '../../domain/keys/rate-window.ts';

export function makeMemoryRateCounter(clock: Clock): RateCounter {
  const windows = new Map<KeyId, RateWindow>();
  return {
    async count(keyId, limit) {
      const { window, verdict } = countInWindow(windows.get(keyId), limit, clock.nowMs());
      windows.set(keyId, window);
      return verdict;
    },
  };
}
