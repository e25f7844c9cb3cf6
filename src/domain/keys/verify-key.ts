// Verifies a presented API key. The HTTP layer calls it before anything else. Every failure looks the same to the
// caller. The time of last use is noted in memory only.

import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { KeyId } from '../ids.ts';
import { type ApiKey, hashKeyText, keyIdOf } from './api-key.ts';
import type { KeyStore } from './key-store.ts';

export type VerifyKey = (presented: string) => Promise<ApiKey | undefined>;

export interface LastUsed {
  note(id: KeyId, atMs: number): void;
}

interface Deps {
  keys: Pick<KeyStore, 'find'>;
  lastUsed: LastUsed;
  clock: Clock;
}

/** Limits the memory used for known keys. */
const MAX_KNOWN_KEYS = 10_000;

export function makeVerifyKey({ keys, lastUsed, clock }: Deps): VerifyKey {
  /** Id and hash of verified keys: computing them is the most expensive part of a list request. */
  const known = new Map<string, { id: KeyId; hash: Buffer }>();

  return async function verifyKey(presented) {
    const knownKey = known.get(presented);
    const key = knownKey ?? readKey(presented);
    if (!key) return undefined;

    const stored = await keys.find(key.id);
    if (!stored || !timingSafeEqual(key.hash, stored.hash) || stored.revoked) return undefined;

    if (!knownKey) remember(presented, key);
    lastUsed.note(key.id, clock.nowMs());
    return stored;
  };

  function remember(keyText: string, key: { id: KeyId; hash: Buffer }): void {
    if (known.size >= MAX_KNOWN_KEYS) known.clear();
    known.set(keyText, key);
  }
}

function readKey(keyText: string): { id: KeyId; hash: Buffer } | undefined {
  const id = keyIdOf(keyText);
  return id === undefined ? undefined : { id, hash: hashKeyText(keyText) };
}
