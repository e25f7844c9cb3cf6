// The people of the service and what is needed of their store.

import type { AuditContext } from '../audit/audit-log.ts';
import type { SiteId, UserId } from '../ids.ts';

export type Role = 'admin' | 'operator';

export interface User {
  id: UserId;
  email: string;
  name: string;
  role: Role;
  active: boolean;
  createdAtMs: number;
}

export interface NewUser extends Omit<User, 'id' | 'active'> {
  passwordHash: string;
  /** Of an operator; administrators have all. */
  siteIds?: SiteId[];
}

export interface UserChange {
  name?: string;
  role?: Role;
  /** Switched off, somebody is signed out everywhere. */
  active?: boolean;
  /** These and no others. */
  siteIds?: SiteId[];
}

export interface UserStore {
  /** Undefined when the address is taken. Addresses differ by more than case. */
  add(user: NewUser, by: AuditContext): Promise<UserId | undefined>;
  list(): Promise<User[]>;
  siteIdsOf(id: UserId): Promise<SiteId[]>;
  /** Of everybody who has any. */
  listSiteIds(): Promise<Map<UserId, SiteId[]>>;
  /** Refused when nobody would be left who can administer. */
  change(id: UserId, change: UserChange, audit: AuditContext): Promise<'changed' | 'last-admin' | 'unknown'>;
  findByEmail(email: string): Promise<(User & { passwordHash: string }) | undefined>;
  /** Ends all other sessions and logins of the user with it. False if there is no such user. */
  setPassword(email: string, change: PasswordChange): Promise<boolean>;
}

export interface PasswordChange {
  passwordHash: string;
  /** The hash of the token of the session that stays. */
  keptSession?: string;
  audit: AuditContext;
}

export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254;
}
