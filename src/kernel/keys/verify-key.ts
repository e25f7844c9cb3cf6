// Verifies a presented API key. The HTTP layer calls it before anything else. Every refusal looks the same to the
// caller; only the log shows the reason. The last use is noted in memory, and a worker stores it later.

import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { KeyId, SiteId } from '../ids.ts';
import { type ApiKey, hashKeyText, keyIdOf } from './api-key.ts';
import type { FloodGuard, PresentedKey } from './flood-guard.ts';
import type { KeyStore, LookedUpKey } from './key-records.ts';

export interface KeyRefusal {
  /** `flood`: any wrong key from a network that sends too many of them. */
  reason: 'malformed' | 'unknown' | 'wrong-secret' | 'revoked' | 'expired' | 'flood';
  /** Set only if the whole key is right, so that a request that guessed the id is not logged under this key. */
  keyId?: KeyId;
}

/** The request that carries the key. */
export interface Caller {
  clientIp(): string;
  /** The site whose vouchers the request lists. */
  listedSite?: SiteId | undefined;
}

export type VerifiedKey = ApiKey & Pick<LookedUpKey, 'verdict' | 'list'>;

export type VerifyKey = (presented: string, caller: Caller) => Promise<Result<VerifiedKey, KeyRefusal>>;

export interface LastUsed {
  note(id: KeyId, atMs: number, ip: string): void;
}

interface Deps {
  keys: Pick<KeyStore, 'lookUp'>;
  floodGuard: FloodGuard;
  lastUsed: LastUsed;
  clock: Clock;
}

/** Limits the memory used for known keys. */
const MAX_KNOWN_KEYS = 10_000;

export function makeVerifyKey({ keys, floodGuard, lastUsed, clock }: Deps): VerifyKey {
  /** Caches the id and hash of verified keys, because computing them is the most expensive part of a list request. */
  const known = new Map<string, PresentedKey>();

  return async function verifyKey(presented, caller) {
    const knownKey = known.get(presented);
    const key = knownKey ?? readKey(presented);
    if (!key) return refuse({ reason: 'malformed' }, caller);
    if (!knownKey && floodGuard.isFlooding(caller.clientIp()) && !(await floodGuard.allowsLookUp(key)))
      return refuse({ reason: 'flood' }, caller);

    const nowMs = clock.nowMs();
    const checked = check(key, await keys.lookUp({ ...key, nowMs, siteId: caller.listedSite }), nowMs);
    if (!checked.ok) {
      known.delete(presented);
      return refuse(checked.problem, caller);
    }

    if (!knownKey) remember(presented, key);
    lastUsed.note(key.id, nowMs, caller.clientIp());
    return checked;
  };

  function refuse(refusal: KeyRefusal, caller: Caller): Result<never, KeyRefusal> {
    const ip = caller.clientIp();
    const isFlood = floodGuard.isFlooding(ip);
    floodGuard.note(ip);
    return fail(isFlood ? { reason: 'flood' } : refusal);
  }

  function remember(keyText: string, key: PresentedKey): void {
    if (known.size >= MAX_KNOWN_KEYS) known.clear();
    known.set(keyText, key);
  }
}

function readKey(keyText: string): PresentedKey | undefined {
  const id = keyIdOf(keyText);
  return id === undefined ? undefined : { id, hash: hashKeyText(keyText) };
}

function check(
  key: PresentedKey,
  stored: LookedUpKey | undefined,
  nowMs: number,
): Result<VerifiedKey, KeyRefusal> {
  if (!stored) return fail({ reason: 'unknown' });
  if (!timingSafeEqual(key.hash, stored.hash)) return fail({ reason: 'wrong-secret' });
  if (stored.revoked) return fail({ reason: 'revoked', keyId: key.id });
  if (stored.expiresAtMs !== null && nowMs >= stored.expiresAtMs)
    return fail({ reason: 'expired', keyId: key.id });
  return ok(stored);
}
