// Creates a new API key. Its text is returned only once; the store keeps only the hash.

import type { AuditContext } from '../audit/audit-log.ts';
import { hashKeyText, makeKeyText, type Scope } from './api-key.ts';
import type { KeyStore, NewKey } from './key-store.ts';

export interface KeyInput {
  name: string;
  scope: Scope;
  rateLimit: number;
}

export type IssueKey = (input: KeyInput, by: AuditContext) => Promise<{ key: NewKey; keyText: string }>;

export function makeNewKey(input: KeyInput, createdAtMs: number): { key: NewKey; keyText: string } {
  const { id, keyText } = makeKeyText();
  return { key: { id, ...input, hash: hashKeyText(keyText), createdAtMs }, keyText };
}

export function makeIssueKey({ keys }: { keys: Pick<KeyStore, 'add'> }): IssueKey {
  return async function issueKey(input, by) {
    const made = makeNewKey(input, by.atMs);
    await keys.add(made.key, by);
    return made;
  };
}
