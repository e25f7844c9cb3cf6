// Rate windows in the database, for an installation that several instances serve.

import { type RateCounter, WINDOW_MS } from '../domain/keys/rate-window.ts';
import type { Database } from './database.ts';
import { countInSharedWindow } from './rate-queries.ts';

export function makeSharedRateCounter(database: Database): RateCounter {
  return {
    async count(keyId, limit) {
      const { startedAtMs, counted, refused, nowMs } = await countInSharedWindow(database, keyId, limit);
      const resetAtMs = startedAtMs + WINDOW_MS;
      return {
        accepted: !refused,
        limit,
        left: Math.max(0, limit - counted),
        resetAtMs,
        secondsLeft: Math.max(1, Math.ceil((resetAtMs - nowMs) / 1000)),
      };
    },
  };
}
