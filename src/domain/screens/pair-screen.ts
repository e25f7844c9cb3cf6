// Pairs a device with a screen. The device sends the pairing code and gets a secret for its cookie. Every code that is
// sent counts, so that nobody can try many of them: while a network sends too many, no code of it is looked up.

import type { AuditContext } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import type { ScreenId } from '../ids.ts';
import type { NetworkFloods } from '../network-floods.ts';
import { makeToken } from '../token.ts';
import { makePairingCode, readPairingCode } from './pairing-code.ts';
import type { Screen, ScreenStore, Sighting } from './screen.ts';

/** Codes that one network may send in a minute. */
export const MAX_PAIRINGS = 30;
const FLOOD_S = 60;

/** `wrong`: no screen waits for this code, or its time is over. */
export type Pairing =
  | { result: 'paired'; screen: Screen; secret: string }
  | { result: 'wrong' }
  | { result: 'flood'; secondsLeft: number };

export type PairScreen = (typed: string, seen: Sighting) => Promise<Pairing>;

export type RenewPairing = (
  id: ScreenId,
  by: AuditContext,
) => Promise<{ pairingCode: string; pairingUntilMs: number } | undefined>;

interface Deps {
  screens: Pick<ScreenStore, 'pair'>;
  floods: NetworkFloods;
  clock: Clock;
}

export function makePairScreen({ screens, floods, clock }: Deps): PairScreen {
  return async function pairScreen(typed, seen) {
    if (floods.isFlooding(seen.ip)) return { result: 'flood', secondsLeft: FLOOD_S };
    // Counted before the look-up, because many codes may be sent at the same time.
    floods.note(seen.ip);
    const pairingHash = readPairingCode(typed);
    if (pairingHash === undefined) return { result: 'wrong' };
    const { token: secret, tokenHash } = makeToken();
    const screen = await screens.pair(pairingHash, tokenHash, { ...seen, atMs: clock.nowMs() });
    return screen ? { result: 'paired', screen, secret } : { result: 'wrong' };
  };
}

/** Makes a new pairing code. Undefined if there is no such screen. */
export function makeRenewPairing({ screens }: { screens: Pick<ScreenStore, 'renewPairing'> }): RenewPairing {
  return async function renewPairing(id, by) {
    const { code: pairingCode, pairingHash } = makePairingCode();
    const pairingUntilMs = await screens.renewPairing(id, pairingHash, by);
    return pairingUntilMs === undefined ? undefined : { pairingCode, pairingUntilMs };
  };
}
