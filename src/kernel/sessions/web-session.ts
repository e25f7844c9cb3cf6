// Sessions of users in the web interface: a session ends after an hour without a request, and after 12 hours in any
// case. With "Stay signed in" it ends after 30 days without a request. The browser holds a random token, the store its
// hash.

import type { AuditContext } from '../audit/audit-log.ts';
import type { UserId } from '../ids.ts';
import type { User } from '../users/user.ts';

export const IDLE_MS = 60 * 60_000;
export const ABSOLUTE_MS = 12 * 60 * 60_000;
/** How long a session lasts without a request if the user chose "Stay signed in". */
export const STAY_MS = 30 * 24 * 60 * 60_000;
/** For this long after the user has entered the password, it is not asked for again. */
const RECENT_MS = 10 * 60_000;
/** Activity is recorded at most this often. */
export const USE_NOTED_EVERY_MS = 5 * 60_000;
/** How often a session is checked. By default, Keycloak forgets a refresh token that was not used for 30 minutes. */
const CHECKED_EVERY_MS = 20 * 60_000;
/**
 * If the next check is further ahead, the clock was set back, and the check is due. Longer than the interval, because
 * the clocks of instances may differ a little.
 */
export const MAX_UNTIL_CHECK_MS = 2 * CHECKED_EVERY_MS;

/** When the identity provider last confirmed a session, and when it is asked again. */
export interface SessionCheck {
  lastAtMs: number;
  nextAtMs: number;
}

/**
 * The results of asking the identity provider about a session. The session continues after the first four results.
 * `unconfirmed`: there was no usable answer for too long.
 */
export const CHECK_RESULTS = [
  'confirmed',
  'provider-unreachable',
  'token-refused',
  'provider-changed',
  'unconfirmed',
  'grant-over',
  'other-subject',
  'claims-refused',
  'no-rule',
  'not-linked',
  'last-admin',
] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];

export interface WebSession {
  tokenHash: string;
  userId: UserId;
  createdAtMs: number;
  seenAtMs: number;
  /** The last recorded IP address of the user, and the browser, for the list of sessions. */
  ip: string;
  agent: string;
  /** Who authenticated the user, if not Gastpass itself: the identity provider or a trusted proxy. */
  external: 'provider' | 'proxy' | null;
  /** When the user last entered the password, here or at the identity provider; 0 if that is not known. */
  authenticatedAtMs: number;
  /** The user chose to stay signed in on this device. */
  stays: boolean;
  /** Set only for sessions from the identity provider that have a refresh token. */
  check?: SessionCheck;
}

export interface WebSessionStore {
  /** False if the user was deactivated or no longer has this password hash. Then nothing is stored. */
  add(session: WebSession, passwordHash: string): Promise<boolean>;
  /** Finds a session and its user. Undefined if there is no such session, or if the user was deactivated. */
  find(tokenHash: string): Promise<{ session: WebSession; user: User } | undefined>;
  noteActivity(tokenHash: string, seen: { atMs: number; ip: string }): Promise<void>;
  noteAuthenticated(tokenHash: string, atMs: number): Promise<void>;
  list(userId: UserId): Promise<WebSession[]>;
  end(userId: UserId, tokenHash: string): Promise<boolean>;
  /** Ends all sessions of the user except the given one. */
  endOthers(userId: UserId, exceptTokenHash?: string): Promise<void>;
  /** Ends one session of the user, or all except one, and writes an audit entry. False if there was none to end. */
  endAudited(
    user: Pick<User, 'id' | 'email'>,
    which: { tokenHash: string } | { except: string },
    audit: AuditContext,
  ): Promise<boolean>;
  /** Deletes sessions that have ended. */
  forgetOld(nowMs: number): Promise<void>;
}

export function nextCheck(nowMs: number): SessionCheck {
  return { lastAtMs: nowMs, nextAtMs: nowMs + CHECKED_EVERY_MS };
}

/** Whether the user authenticated a short time ago. A time far in the future is not recent: the clock was set back. */
export function isRecent({ authenticatedAtMs }: WebSession, nowMs: number): boolean {
  return Math.abs(nowMs - authenticatedAtMs) < RECENT_MS;
}

/**
 * A session is also over if the clock was set back by more than a session lasts: otherwise it would last until the
 * clock shows the old time again.
 */
export function isSessionOver({ createdAtMs, seenAtMs, stays }: WebSession, nowMs: number): boolean {
  if (stays) return Math.abs(nowMs - seenAtMs) >= STAY_MS;
  return Math.abs(nowMs - createdAtMs) >= ABSOLUTE_MS || nowMs - seenAtMs >= IDLE_MS;
}
