// The store that the use cases for API keys need.

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
  /** Never stale: a revocation applies to the next request. */
  find(id: KeyId): Promise<StoredKey | undefined>;
  add(key: NewKey, by: AuditContext): Promise<void>;
  list(): Promise<KeySummary[]>;
  /** False if the key does not exist or is already revoked. */
  change(id: KeyId, change: KeyChange, audit: AuditContext): Promise<boolean>;
  revoke(id: KeyId, audit: AuditContext): Promise<boolean>;
  saveLastUsed(lastUsedAtMs: ReadonlyMap<KeyId, number>): Promise<void>;
}
