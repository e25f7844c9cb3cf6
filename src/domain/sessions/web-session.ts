// Sessions of users in the web interface: a session ends after an hour without a request, and after 12 hours in any
// case. The browser holds a random token, the store only its hash.

import { hash, randomBytes } from 'node:crypto';
import type { UserId } from '../ids.ts';
import type { User } from '../users/user.ts';

export const IDLE_MS = 60 * 60_000;
export const ABSOLUTE_MS = 12 * 60 * 60_000;
/** For so long after the password was entered, actions that need it do not ask again. */
export const RECENT_MS = 10 * 60_000;
/** Activity is recorded at most this often. */
export const NOTED_EVERY_MS = 60_000;

export interface WebSession {
  tokenHash: string;
  userId: UserId;
  createdAtMs: number;
  seenAtMs: number;
  /** The IP address and the browser that started the session, for the user's list of sessions. */
  ip: string;
  agent: string;
  /** When the user last entered the password; 0 in sessions of earlier releases. */
  authenticatedAtMs: number;
}

export interface WebSessionStore {
  add(session: WebSession): Promise<void>;
  /** With its user. Undefined if the user was deactivated. */
  find(tokenHash: string): Promise<{ session: WebSession; user: User } | undefined>;
  noteActivity(tokenHash: string, atMs: number): Promise<void>;
  noteAuthenticated(tokenHash: string, atMs: number): Promise<void>;
  list(userId: UserId): Promise<WebSession[]>;
  end(userId: UserId, tokenHash: string): Promise<boolean>;
  /** Ends all sessions of the user except the given one. */
  endOthers(userId: UserId, exceptTokenHash?: string): Promise<void>;
  /** Deletes sessions that have ended. */
  forgetOld(limits: { createdBeforeMs: number; seenBeforeMs: number }): Promise<void>;
}

export function makeToken(): { token: string; tokenHash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: hashToken(token) };
}

export function hashToken(token: string): string {
  return hash('sha256', token);
}

/** Whether the password was entered a short time ago. */
export function isRecent({ authenticatedAtMs }: WebSession, nowMs: number): boolean {
  return nowMs - authenticatedAtMs < RECENT_MS;
}

export function isOver({ createdAtMs, seenAtMs }: WebSession, nowMs: number): boolean {
  return nowMs - createdAtMs >= ABSOLUTE_MS || nowMs - seenAtMs >= IDLE_MS;
}
