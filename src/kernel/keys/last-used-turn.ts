// Collects the last uses of API keys, with the client's IP address, in memory and saves them every ten seconds, so that
// many requests cause one write.

import type { KeyId } from '../ids.ts';
import type { KeyStore, LastUse } from './key-records.ts';
import type { LastUsed } from './verify-key.ts';

const EVERY_MS = 10_000;

export interface SavedLastUsed extends LastUsed {
  save(): Promise<number>;
}

export function makeLastUsed(keys: Pick<KeyStore, 'saveLastUsed'>): SavedLastUsed {
  let noted = new Map<KeyId, LastUse>();
  return {
    note: (id, atMs, ip) => noted.set(id, { atMs, ip }),
    async save() {
      if (noted.size > 0) {
        const toSave = noted;
        noted = new Map();
        await keys.saveLastUsed(toSave);
      }
      return EVERY_MS;
    },
  };
}
