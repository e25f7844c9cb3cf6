// The store that the use cases for API keys need.

import type { AuditContext } from '../audit/audit-log.ts';
import type { KeyId, SiteId } from '../ids.ts';
import type { ApiKey, KeySites, Scope } from './api-key.ts';
import type { RateVerdict } from './rate-window.ts';

export interface StoredKey extends ApiKey {
  hash: Buffer;
  revoked: boolean;
}

/** The look-up of the key of an API request. */
export interface KeyLookup {
  id: KeyId;
  /** The hash of the presented key. If the stored hash differs, the request does not count against the rate limit. */
  hash: Buffer;
  nowMs: number;
  /** The site whose vouchers the request lists. */
  siteId?: SiteId | undefined;
}

/**
 * The found key. On a database that several instances share, the look-up also counts the request and reads the version
 * of the site's voucher list, to save queries.
 */
export interface LookedUpKey extends StoredKey {
  /** Absent if the look-up did not count the request. */
  verdict?: RateVerdict;
  /** Absent if the look-up did not read the list version. `version` is undefined for an unknown site. */
  list?: { version: number | undefined };
}

export interface KeySummary extends ApiKey {
  note: string;
  createdAtMs: number;
  lastUsedAtMs: number | null;
  /** The client's IP address at the last use; null for a use recorded by an earlier release. */
  lastUsedIp: string | null;
  revokedAtMs: number | null;
}

/** The name of the key that the first start creates for the demo. */
export const DEMO_KEY_NAME = 'Demo';

/** Finds the key that the first start created, unless it was revoked or restricted to certain sites. */
export function findDemoKey(keys: KeySummary[]): KeySummary | undefined {
  return keys.find(
    ({ name, scope, sites, revokedAtMs }) =>
      name === DEMO_KEY_NAME && scope === 'write' && sites === 'all' && revokedAtMs === null,
  );
}

export interface NewKey extends ApiKey {
  scope: Scope;
  note: string;
  hash: Buffer;
  createdAtMs: number;
}

export interface KeyChange {
  scope?: Scope;
  rateLimit?: number;
  sites?: KeySites;
  /** Null removes the expiry date. */
  expiresAtMs?: number | null;
  note?: string;
}

export interface LastUse {
  atMs: number;
  ip: string;
}

export interface KeyStore {
  /** Never returns a cached key, so that a revocation applies to the next request. */
  find(id: KeyId): Promise<StoredKey | undefined>;
  /** As `find`, for an API request. */
  lookUp(request: KeyLookup): Promise<LookedUpKey | undefined>;
  /** The hashes of the keys that are valid at this time; undefined if there are more than `maxKeys`. */
  listHashes(nowMs: number, maxKeys: number): Promise<Map<KeyId, Buffer> | undefined>;
  add(key: NewKey, by: AuditContext): Promise<void>;
  list(): Promise<KeySummary[]>;
  /** False if the key does not exist or is already revoked. */
  change(id: KeyId, change: KeyChange, audit: AuditContext): Promise<boolean>;
  revoke(id: KeyId, audit: AuditContext): Promise<boolean>;
  saveLastUsed(lastUses: ReadonlyMap<KeyId, LastUse>): Promise<void>;
}
