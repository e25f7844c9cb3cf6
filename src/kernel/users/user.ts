// Users of the service. Also defines the store.

import type { OrUnknown } from '../../platform/values/unknown-value.ts';
import type { AuditContext } from '../audit/audit-log.ts';
import type { SiteId, UserId } from '../ids.ts';
import { MAX_EMAIL_LENGTH } from './email-address.ts';

export const ROLES = ['admin', 'operator'] as const;
export type Role = (typeof ROLES)[number];

export interface User {
  id: UserId;
  email: string;
  name: string;
  /** A user with an unknown role has no rights. */
  role: OrUnknown<Role>;
  active: boolean;
  createdAtMs: number;
}

/** A user together with the hash against which the password is checked. */
export type UserWithHash = User & { passwordHash: string };

export interface NewUser extends Omit<User, 'id' | 'active' | 'role'> {
  role: Role;
  passwordHash: string;
  /** The sites of an operator; administrators have all sites. */
  siteIds?: SiteId[];
}

export interface UserChange {
  name?: string;
  role?: Role;
  /** Deactivating a user ends all sessions of the user. */
  active?: boolean;
  /** Replaces the user's sites. */
  siteIds?: SiteId[];
}

export interface UserStore {
  /** Undefined if a user already has the e-mail address, even in a form that only earlier releases stored. */
  add(user: NewUser, by: AuditContext): Promise<UserId | undefined>;
  list(): Promise<User[]>;
  siteIdsOf(id: UserId): Promise<SiteId[]>;
  /** The sites of every user who has any. */
  listSiteIds(): Promise<Map<UserId, SiteId[]>>;
  /** `last-admin`, without any change, if no active administrator would be left. */
  change(id: UserId, change: UserChange, audit: AuditContext): Promise<'changed' | 'last-admin' | 'unknown'>;
  /** `email` must have the form that `toEmailAddress` returns. Also ends the user's link to set a password. */
  changeEmail(id: UserId, email: string, audit: AuditContext): Promise<'changed' | 'taken' | 'unknown'>;
  /**
   * Deletes what is stored about the user: name, address, password, sessions, links, second factor, identities, sites
   * and failed logins. The user's vouchers and batches stay, without the owner's name. The audit log, the sources of
   * vouchers and the notifications keep the name that the user had at the time.
   */
  remove(id: UserId, audit: AuditContext): Promise<'removed' | 'last-admin' | 'unknown'>;
  /** The active user whose stored address the typed text means; see `addressesMeant`. */
  findByEmail(typed: string): Promise<UserWithHash | undefined>;
  /** The password hashes of active users who were moved in from another tool and have not signed in since. */
  listBcryptHashes(): Promise<string[]>;
  /** Forgets the failed logins of the user. False if there is no such user. */
  unlock(email: string, audit: AuditContext): Promise<boolean>;
  /**
   * Replaces the stored hash with a new hash of the same password. False if the stored hash was changed in the
   * meantime.
   */
  renewHash(id: UserId, hashes: { from: string; to: string }): Promise<boolean>;
  /**
   * Sets the password of the user with this stored address. Also ends the user's pending logins and all sessions except
   * `keptSession`, and forgets failed logins. False if there is no such user.
   */
  setPassword(email: string, change: PasswordChange): Promise<boolean>;
}

export interface PasswordChange {
  passwordHash: string;
  /** The token hash of the session that stays. */
  keptSession?: string;
  audit: AuditContext;
}

/** Accepts even addresses that only earlier releases allowed. A new address must also pass `toEmailAddress`. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= MAX_EMAIL_LENGTH;
}
