// Rate windows in the database, for an installation with several instances. Requests of an API key that arrive while
// other requests of that key are being counted form a group, which is counted together.

import type { KeyId } from '../../domain/ids.ts';
import { type RateCounter, type RateVerdict, WINDOW_MS } from '../../domain/keys/rate-window.ts';
import { makeSharedReads } from '../../domain/shared-reads.ts';
import type { Database } from '../database.ts';
import { type CountedWindow, countInSharedWindow } from './rate-queries.ts';

/** Requests of one API key with the same limit, counted by one statement. */
interface Group {
  keyId: KeyId;
  limit: number;
  requests: number;
}

export function makeSharedRateCounter(database: Database): RateCounter {
  const groups = new Map<string, Group>();
  const countGroup = makeSharedReads(async (name: string) => {
    const group = groups.get(name);
    if (!group) throw new Error('a group of nobody');
    groups.delete(name);
    return { group, window: await countInSharedWindow(database, group.keyId, group) };
  });

  return {
    async count(keyId, limit) {
      const name = `${keyId} ${limit}`;
      const joined = groups.get(name) ?? { keyId, limit, requests: 0 };
      groups.set(name, joined);
      const place = ++joined.requests;
      const { group, window } = await countGroup(name);
      return verdictOn(place, group, window);
    },
  };
}

/** The first requests of a group are accepted; the remaining requests exceed the limit. */
function verdictOn(place: number, { limit, requests }: Group, window: CountedWindow): RateVerdict {
  const { startedAtMs, counted, refused, nowMs } = window;
  const granted = requests - refused;
  const resetAtMs = startedAtMs + WINDOW_MS;
  return {
    accepted: place <= granted,
    limit,
    left: Math.max(0, limit - counted + Math.max(0, granted - place)),
    resetAtMs,
    secondsLeft: Math.max(1, Math.ceil((resetAtMs - nowMs) / 1000)),
  };
}
