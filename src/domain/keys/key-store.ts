// What the use cases around keys need of storage.

import type { AuditContext } from '../audit/audit-log.ts';
import type { KeyId } from '../ids.ts';
import type { ApiKey, Scope } from './api-key.ts';

export interface StoredKey extends ApiKey {
  hash: Buffer;
  revoked: boolean;
}

export interface KeySummary extends ApiKey {
  createdAtMs: number;
  lastUsedAtMs: number | null;
  revokedAtMs: number | null;
}

export interface NewKey extends ApiKey {
  hash: Buffer;
  createdAtMs: number;
}

export interface KeyChange {
  scope?: Scope;
  rateLimit?: number;
}

export interface KeyStore {
  /** Always the truth of this moment: a revocation holds from the next request on. */
  find(id: KeyId): Promise<StoredKey | undefined>;
  add(key: NewKey, by: AuditContext): Promise<void>;
  list(): Promise<KeySummary[]>;
  /** False when there is no such key, or it is revoked already. */
  change(id: KeyId, change: KeyChange, audit: AuditContext): Promise<boolean>;
  revoke(id: KeyId, audit: AuditContext): Promise<boolean>;
  saveLastUsed(lastUsedAtMs: ReadonlyMap<KeyId, number>): Promise<void>;
}
