// Limits the database look-ups that wrong API keys cause. After too many wrong keys from one network in a minute, a key
// from that network is looked up only if its hash is among the hashes of all valid keys, which are kept in memory. So
// valid keys from that network still work. See docs/decisions/0025-floods.md.

import { timingSafeEqual } from 'node:crypto';
import { makeFreshRead } from '../../platform/concurrency/fresh-read.ts';
import { makeNetworkFloods, type NetworkFloods } from '../../platform/network/network-floods.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { KeyId } from '../ids.ts';
import type { KeyStore } from './key-records.ts';

/**
 * Limits the memory and the cost of reading the hashes. If there are more keys, the guard lets every key be looked up.
 */
const MAX_HASHES = 20_000;
/** The hashes are read again after this time. Until then, a new key from a flooding network may be refused. */
const HASHES_FRESH_MS = 1_000;

export interface PresentedKey {
  id: KeyId;
  hash: Buffer;
}

export interface FloodGuard extends NetworkFloods {
  /** Whether a key from a flooding network may be looked up: only if it is valid, or if `MAX_HASHES` is exceeded. */
  allowsLookUp(key: PresentedKey): Promise<boolean>;
}

interface Deps {
  keys: Pick<KeyStore, 'listHashes'>;
  clock: Clock;
  /** Called when a network begins to count as flooding, at most once per network and minute. */
  onFlood: (network: string) => void;
}

export function makeFloodGuard({ keys, clock, onFlood }: Deps): FloodGuard {
  const readHashes = makeFreshRead({ clock, freshMs: HASHES_FRESH_MS }, (nowMs) =>
    keys.listHashes(nowMs, MAX_HASHES),
  );
  return {
    ...makeNetworkFloods({ clock, onFlood }),
    async allowsLookUp({ id, hash }) {
      const valid = await readHashes();
      if (!valid) return true;
      const stored = valid.get(id);
      return stored !== undefined && timingSafeEqual(stored, hash);
    },
  };
}
