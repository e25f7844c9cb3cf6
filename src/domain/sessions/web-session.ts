// Sessions of people in the web interface: over after an hour without a visit, and after half a day in any
// case. The browser holds a random token, the store only its hash.

import { hash, randomBytes } from 'node:crypto';
import type { UserId } from '../ids.ts';
import type { User } from '../users/user.ts';

export const IDLE_MS = 60 * 60_000;
export const ABSOLUTE_MS = 12 * 60 * 60_000;
/** A visit is noted this often at most. */
export const NOTED_EVERY_MS = 60_000;

export interface WebSession {
  tokenHash: string;
  userId: UserId;
  createdAtMs: number;
  seenAtMs: number;
  /** Where and with what it was begun, for the list that its owner sees. */
  address: string;
  agent: string;
}

export interface WebSessionStore {
  add(session: WebSession): Promise<void>;
  /** With its owner, unless that one was switched off. */
  find(tokenHash: string): Promise<{ session: WebSession; user: User } | undefined>;
  noteActivity(tokenHash: string, atMs: number): Promise<void>;
  list(userId: UserId): Promise<WebSession[]>;
  end(userId: UserId, tokenHash: string): Promise<boolean>;
  /** All of somebody's, but for the one they are at. */
  endOthers(userId: UserId, exceptTokenHash?: string): Promise<void>;
  /** Of those that are over. */
  forgetOld(limits: { createdBeforeMs: number; seenBeforeMs: number }): Promise<void>;
}

export function makeToken(): { token: string; tokenHash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: hashToken(token) };
}

export function hashToken(token: string): string {
  return hash('sha256', token);
}

export function isOver({ createdAtMs, seenAtMs }: WebSession, nowMs: number): boolean {
  return nowMs - createdAtMs >= ABSOLUTE_MS || nowMs - seenAtMs >= IDLE_MS;
}
