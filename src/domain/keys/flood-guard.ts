// Limits the database look-ups that wrong API keys cause. After too many wrong keys from one network in a minute, a key
// from that network is looked up only if its hash is among the hashes of all valid keys, which are kept in memory. So
// valid keys from that network still work. See docs/decisions/0025-floods-of-wrong-keys.md.

import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { KeyId } from '../ids.ts';
import { networkOf } from '../ip.ts';
import type { KeyStore } from './key-store.ts';

const WINDOW_MS = 60_000;
/** With this many wrong keys in a minute, a network counts as flooding. */
export const MAX_WRONG_KEYS = 60;
/** Limits the memory. Beyond this many networks, each further network counts as flooding. */
const MAX_NETWORKS = 10_000;
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

export interface FloodGuard {
  /** Whether the IP address belongs to a network that has sent too many wrong keys in this minute. */
  isFlooding(ip: string): boolean;
  /** Whether a key from a flooding network may be looked up: only if it is valid, or if `MAX_HASHES` is exceeded. */
  allowsLookUp(key: PresentedKey): Promise<boolean>;
  noteWrongKey(ip: string): void;
}

interface Deps {
  keys: Pick<KeyStore, 'listHashes'>;
  clock: Clock;
  /** Called when a network begins to count as flooding, at most once per network and minute. */
  onFlood: (network: string) => void;
}

interface Window {
  startedAtMs: number;
  wrongKeys: number;
}

export function makeFloodGuard({ keys, clock, onFlood }: Deps): FloodGuard {
  /** The window of each network, ordered by start. When a new window of a network begins, it is added at the end. */
  const windows = new Map<string, Window>();
  let last = { ip: '', network: '' };
  let crowdSinceMs = Number.NEGATIVE_INFINITY;
  let hashes: { sinceMs: number; reading: ReturnType<KeyStore['listHashes']> } | undefined;

  return {
    isFlooding(ip) {
      const nowMs = clock.nowMs();
      const window = windows.get(networkFrom(ip));
      if (window && isRunning(window, nowMs)) return window.wrongKeys >= MAX_WRONG_KEYS;
      forgetEnded(nowMs);
      return windows.size >= MAX_NETWORKS;
    },

    noteWrongKey(ip) {
      const nowMs = clock.nowMs();
      const network = networkFrom(ip);
      const window = windows.get(network);
      if (window && isRunning(window, nowMs)) {
        window.wrongKeys++;
        if (window.wrongKeys === MAX_WRONG_KEYS) onFlood(network);
        return;
      }
      windows.delete(network);
      forgetEnded(nowMs);
      if (windows.size < MAX_NETWORKS) windows.set(network, { startedAtMs: nowMs, wrongKeys: 1 });
      else noteCrowd(nowMs);
    },

    async allowsLookUp({ id, hash }) {
      const valid = await readHashes();
      if (!valid) return true;
      const stored = valid.get(id);
      return stored !== undefined && timingSafeEqual(stored, hash);
    },
  };

  /**
   * Remembers the last network, because each request needs it several times, and most requests of a flood come from the
   * same IP address.
   */
  function networkFrom(ip: string): string {
    if (ip !== last.ip) last = { ip, network: networkOf(ip, 64) };
    return last.network;
  }

  function forgetEnded(nowMs: number): void {
    for (const [network, window] of windows) {
      if (isRunning(window, nowMs)) return;
      windows.delete(network);
    }
  }

  function noteCrowd(nowMs: number): void {
    if (isRunning({ startedAtMs: crowdSinceMs }, nowMs)) return;
    crowdSinceMs = nowMs;
    onFlood(`more than ${MAX_NETWORKS} networks`);
  }

  function readHashes(): ReturnType<KeyStore['listHashes']> {
    const nowMs = clock.nowMs();
    if (hashes && nowMs >= hashes.sinceMs && nowMs < hashes.sinceMs + HASHES_FRESH_MS) return hashes.reading;
    const reading = keys.listHashes(nowMs, MAX_HASHES);
    const begun = { sinceMs: nowMs, reading };
    hashes = begun;
    // If reading fails, the waiting callers get the error, and the next caller reads again.
    reading.catch(() => {
      if (hashes === begun) hashes = undefined;
    });
    return reading;
  }
}

/** A window that begins in the future counts as ended, because then the clock was set back. */
function isRunning({ startedAtMs }: Pick<Window, 'startedAtMs'>, nowMs: number): boolean {
  return nowMs >= startedAtMs && nowMs < startedAtMs + WINDOW_MS;
}
