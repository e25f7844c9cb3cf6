// Finds the rolling code of a path. Wrong tokens are counted per network, as for guest pages: while a network sends too
// many of them, only tokens whose hash is in memory are looked up. The requests for one rolling code are limited, too.

import type { ScreenId } from '../../kernel/ids.ts';
import { countInWindow, type RateWindow, verdictOn } from '../../kernel/keys/rate-window.ts';
import { makeFreshRead } from '../../platform/concurrency/fresh-read.ts';
import type { NetworkFloods } from '../../platform/network/network-floods.ts';
import { hashToken, isPathToken } from '../../platform/secrets/token.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { RollingScreen, RollingStore } from './rolling-code.ts';

/** Requests for one rolling code in a minute. Several displays that ask every two seconds need less. */
export const MAX_LOOKS = 240;
/** Until the hashes are read again, a new path does not work in a flooding network. */
const HASHES_FRESH_MS = 1_000;
const FLOOD_S = 60;

/**
 * `wrong`: there is no such path. `flood`: the same, and the network has sent too many wrong ones. `throttled`: the
 * rolling code is fetched too often.
 */
export type OpenedRolling =
  | { result: 'opened'; screen: RollingScreen }
  | { result: 'wrong' }
  | { result: 'flood' | 'throttled'; secondsLeft: number };

export type OpenRollingPath = (token: string, ip: string) => Promise<OpenedRolling>;

interface Deps {
  rolling: Pick<RollingStore, 'findByToken' | 'listTokenHashes'>;
  /** Counts wrong tokens. */
  floods: NetworkFloods;
  clock: Clock;
}

export function makeOpenRollingPath({ rolling, floods, clock }: Deps): OpenRollingPath {
  const windows = new Map<ScreenId, RateWindow>();
  const readHashes = makeFreshRead({ clock, freshMs: HASHES_FRESH_MS }, rolling.listTokenHashes);

  return async (token, ip) => {
    const isFlooding = floods.isFlooding(ip);
    const screen = isPathToken(token) ? await find(hashToken(token), isFlooding) : undefined;
    if (screen) return count(screen);
    if (isFlooding) return { result: 'flood', secondsLeft: FLOOD_S };
    floods.note(ip);
    return { result: 'wrong' };
  };

  async function find(tokenHash: string, isFlooding: boolean): Promise<RollingScreen | undefined> {
    if (isFlooding && !(await readHashes()).has(tokenHash)) return undefined;
    return rolling.findByToken(tokenHash);
  }

  function count(screen: RollingScreen): OpenedRolling {
    const rule = { limit: MAX_LOOKS, nowMs: clock.nowMs() };
    const counted = countInWindow(windows.get(screen.id), rule);
    windows.set(screen.id, counted);
    const { accepted, secondsLeft } = verdictOn(1, rule, counted);
    return accepted ? { result: 'opened', screen } : { result: 'throttled', secondsLeft };
  }
}
