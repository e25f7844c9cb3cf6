// Creates a new API key. Its text is returned only once; the store keeps only the hash.

import type { AuditContext } from '../audit/audit-log.ts';
import { hashKeyText, type KeySites, makeKeyText, type Scope } from './api-key.ts';
import type { KeyStore, NewKey } from './key-records.ts';

export interface KeyInput {
  name: string;
  scope: Scope;
  rateLimit: number;
  /** The default is all sites. */
  sites?: KeySites;
  /** The default is null: the key does not expire. */
  expiresAtMs?: number | null;
  note?: string;
}

export type IssueKey = (input: KeyInput, by: AuditContext) => Promise<{ key: NewKey; keyText: string }>;

export function makeNewKey(input: KeyInput, createdAtMs: number): { key: NewKey; keyText: string } {
  const { sites = 'all', expiresAtMs = null, note = '', ...rest } = input;
  const { id, keyText } = makeKeyText();
  return {
    key: { id, ...rest, sites, expiresAtMs, note, hash: hashKeyText(keyText), createdAtMs },
    keyText,
  };
}

export function makeIssueKey({ keys }: { keys: Pick<KeyStore, 'add'> }): IssueKey {
  return async function issueKey(input, by) {
    const made = makeNewKey(input, by.atMs);
    await keys.add(made.key, by);
    return made;
  };
}
