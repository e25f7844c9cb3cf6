// Pairs a device with a screen. The device sends the pairing code and gets a secret for its cookie. Every code that is
// sent counts: while a network sends too many, its codes are compared with those in memory, so that a device in the
// same network can still be paired.

import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import type { ScreenId } from '../../kernel/ids.ts';
import { makeFreshRead } from '../../platform/concurrency/fresh-read.ts';
import type { NetworkFloods } from '../../platform/network/network-floods.ts';
import { makeToken } from '../../platform/secrets/token.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { makePairingCode, readPairingCode } from './pairing-code.ts';
import type { Screen, ScreenStore, Sighting } from './screen.ts';

/** Codes of one network that are looked up in a minute. */
export const MAX_PAIRINGS = 30;
const FLOOD_S = 60;
/** Until the hashes are read again, a new code does not work in a flooding network. */
const HASHES_FRESH_MS = 1_000;

/** `wrong`: no screen waits for this code, or the code has expired. */
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
  screens: Pick<ScreenStore, 'pair' | 'listPairingHashes'>;
  floods: NetworkFloods;
  clock: Clock;
}

export function makePairScreen({ screens, floods, clock }: Deps): PairScreen {
  const readHashes = makeFreshRead({ clock, freshMs: HASHES_FRESH_MS }, screens.listPairingHashes);

  return async function pairScreen(typed, seen) {
    const pairingHash = readPairingCode(typed);
    const isFlooding = floods.isFlooding(seen.ip);
    // Counted before the look-up, because many codes may be sent at the same time.
    floods.note(seen.ip);
    if (isFlooding && !(pairingHash && (await readHashes()).has(pairingHash)))
      return { result: 'flood', secondsLeft: FLOOD_S };
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
