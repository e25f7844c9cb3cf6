// Makes a new API key. Its text is returned this once; the store keeps only the hash.

import type { Doer } from '../audit-log.ts';
import { hashKeyText, makeKeyText, type Scope } from './api-key.ts';
import type { KeyStore, NewKey } from './key-store.ts';

export interface KeyWish {
  name: string;
  scope: Scope;
  rateLimit: number;
}

export type IssueKey = (wish: KeyWish, by: Doer) => Promise<{ key: NewKey; keyText: string }>;

export function makeNewKey(wish: KeyWish, createdAtMs: number): { key: NewKey; keyText: string } {
  const { id, keyText } = makeKeyText();
  return { key: { id, ...wish, hash: hashKeyText(keyText), createdAtMs }, keyText };
}

export function makeIssueKey({ keys }: { keys: Pick<KeyStore, 'add'> }): IssueKey {
  return async function issueKey(wish, by) {
    const made = makeNewKey(wish, by.atMs);
    await keys.add(made.key, by);
    return made;
  };
}
