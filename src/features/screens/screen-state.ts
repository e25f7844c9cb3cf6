// The state of a screen: whether a device is paired, and whether Gastpass has heard from it lately.

import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import type { Screen } from './screen.ts';

/** A device sends a request at least once a minute, unless it is off or has lost its network. */
const SILENT_MS = 15 * 60_000;

/** `waiting`: no device has been paired yet. `silent`: the device has sent nothing for too long. */
export const SCREEN_STATES = ['waiting', 'online', 'silent'] as const;
export type ScreenState = (typeof SCREEN_STATES)[number];

type Heard = Pick<Screen, 'kind' | 'pairedAtMs' | 'seenAtMs' | 'lookedAtMs' | 'idleMinutes'>;

/** The last sign of the device; null if there is none since it was paired. */
export function lastHeardMs({ kind, seenAtMs, lookedAtMs }: Heard): number | null {
  const times = [seenAtMs, kind === 'rolling' ? lookedAtMs : null].filter((time) => time !== null);
  return times.length > 0 ? Math.max(...times) : null;
}

/** A display may fetch its rolling code without being paired, and only once in the idle time of the screen. */
export function screenState(screen: Heard, nowMs: number): ScreenState {
  const { kind, pairedAtMs, lookedAtMs, idleMinutes } = screen;
  if (pairedAtMs === null && (kind !== 'rolling' || lookedAtMs === null)) return 'waiting';
  // A newer release knows how often the device sends something.
  if (kind === UNKNOWN) return 'online';
  const heardMs = lastHeardMs(screen) ?? pairedAtMs ?? nowMs;
  const patienceMs = kind === 'rolling' ? Math.max(SILENT_MS, idleMinutes * 60_000) : SILENT_MS;
  // A time far in the future comes from a clock that was set back since.
  return Math.abs(nowMs - heardMs) > patienceMs ? 'silent' : 'online';
}
