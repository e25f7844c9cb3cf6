// The people of the service and what is needed of their store.

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
}

export interface UserStore {
  /** Undefined when the address is taken. Addresses differ by more than case. */
  add(user: NewUser, actor: string): Promise<UserId | undefined>;
  list(): Promise<User[]>;
  siteIdsOf(id: UserId): Promise<SiteId[]>;
  findByEmail(email: string): Promise<(User & { passwordHash: string }) | undefined>;
  setPassword(email: string, passwordHash: string, audit: { actor: string; atMs: number }): Promise<boolean>;
}

export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254;
}
