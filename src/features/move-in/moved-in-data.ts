// The data of another tool in the terms of Gastpass, before they are moved into an installation. Small tables are
// lists. Vouchers and audit entries are read from the dump again when they are written, because there may be millions
// of them.

import type { UpstreamOrder } from '../../kernel/controllers/controller.ts';

export const MOVED_IN_TABLES = [
  'sites',
  'users',
  'user_site_access',
  'voucher_templates',
  'api_keys',
  'vouchers',
  'audit_log',
] as const;
/** The names of the tables in the other tool. */
export type MovedInTable = (typeof MOVED_IN_TABLES)[number];

export interface MovedInSite {
  id: number;
  name: string;
  /** The short name of the site on its console. */
  controllerSite: string;
  url: string;
  username: string;
  /** Null if the password could not be decrypted. */
  password: string | null;
  wasActive: boolean;
  createdAtMs: number | null;
}

export interface MovedInUser {
  /** The id in the other tool. When moved in, the user gets a new id. */
  id: number;
  email: string;
  name: string;
  isAdmin: boolean;
  isActive: boolean;
  /** A bcrypt hash; null if the user has no password that could be checked. */
  passwordHash: string | null;
  /** The secret in base32. */
  totp: { secret: string; codeHashes: string[] } | null;
  createdAtMs: number | null;
}

export interface MovedInGrant {
  userId: number;
  siteId: number;
}

export interface MovedInKey {
  name: string;
  /** The eight hexadecimal digits of the key after `uvt_`. */
  prefix: string;
  /** SHA-256 of the whole key, in hexadecimal. */
  hash: string;
  scope: 'read' | 'write';
  rateLimit: number;
  isActive: boolean;
  createdAtMs: number | null;
  lastUsedAtMs: number | null;
}

export interface MovedInVoucher {
  line: number;
  siteId: number;
  userId: number | null;
  code: string;
  name: string;
  maxUses: number;
  expireMinutes: number;
  usedCount: number;
  createdAtMs: number | null;
  controllerVoucherId: string | null;
  isExpired: boolean;
  /** True if the other tool did not create the voucher, but read it from the console. */
  isForeign: boolean;
}

export interface MovedInEntry {
  atMs: number | null;
  userId: number | null;
  /** The action and its details, in the words of the other tool. */
  text: string;
  ip: string | null;
}

export interface MovedInData {
  found: Record<MovedInTable, number>;
  sites: MovedInSite[];
  users: MovedInUser[];
  grants: MovedInGrant[];
  profiles: UpstreamOrder[];
  keys: MovedInKey[];
  /** `with-id`: the vouchers whose id on the console is known. `without-id`: all other vouchers. */
  vouchers(which: 'with-id' | 'without-id'): AsyncIterable<MovedInVoucher[]>;
  /** The audit entries, oldest first. */
  entries(): AsyncIterable<MovedInEntry[]>;
}
