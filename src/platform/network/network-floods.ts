// Counts requests of one kind per network, such as those with a wrong key, and tells which networks send too many of
// them in a minute. See docs/decisions/0025-floods.md.

import type { Clock } from '../time/clock.ts';
import { networkOf } from './ip.ts';

const WINDOW_MS = 60_000;
/** With this many wrong keys or tokens in a minute, a network counts as flooding, unless `max` is set. */
export const MAX_WRONG = 60;
/**
 * Limits the memory. Beyond this many networks, each further network counts as flooding, unless the crowd is admitted.
 */
export const MAX_NETWORKS = 10_000;

export interface NetworkFloods {
  /** Whether the IP address belongs to a network that has sent too many of these requests in this minute. */
  isFlooding(ip: string): boolean;
  note(ip: string): void;
}

interface Deps {
  clock: Clock;
  max?: number;
  /** Set for requests that are right: beyond MAX_NETWORKS, further networks are then not counted and never flood. */
  admitsCrowd?: true;
  /** Called when a network begins to count as flooding, at most once per network and minute. */
  onFlood: (network: string) => void;
}

interface Window {
  startedAtMs: number;
  count: number;
}

export function makeNetworkFloods({ clock, max = MAX_WRONG, admitsCrowd, onFlood }: Deps): NetworkFloods {
  /** The window of each network, ordered by start. When a new window of a network begins, it is added at the end. */
  const windows = new Map<string, Window>();
  let last = { ip: '', network: '' };
  let crowdSinceMs = Number.NEGATIVE_INFINITY;

  return {
    isFlooding(ip) {
      const nowMs = clock.nowMs();
      const window = windows.get(networkFrom(ip));
      if (window && isRunning(window, nowMs)) return window.count >= max;
      forgetEnded(nowMs);
      const isCrowd = windows.size >= MAX_NETWORKS && !admitsCrowd;
      if (isCrowd) noteCrowd(nowMs);
      return isCrowd;
    },

    note(ip) {
      const nowMs = clock.nowMs();
      const network = networkFrom(ip);
      const window = windows.get(network);
      if (window && isRunning(window, nowMs)) {
        window.count++;
        if (window.count === max) onFlood(network);
        return;
      }
      windows.delete(network);
      forgetEnded(nowMs);
      if (windows.size < MAX_NETWORKS) windows.set(network, { startedAtMs: nowMs, count: 1 });
      else noteCrowd(nowMs);
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
}

/** A window that begins in the future counts as ended, because then the clock was set back. */
function isRunning({ startedAtMs }: Pick<Window, 'startedAtMs'>, nowMs: number): boolean {
  return nowMs >= startedAtMs && nowMs < startedAtMs + WINDOW_MS;
}
