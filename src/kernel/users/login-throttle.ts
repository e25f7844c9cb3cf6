// Slows down the guessing of passwords and codes. Each further failure doubles the wait, up to 15 minutes, and failures
// are forgotten after an hour without a new one. No single network can lock out other networks or known devices.

import { networkOf } from '../../platform/network/ip.ts';
import { addressesMeant } from './email-address.ts';
import type { User } from './user.ts';

/** How many failures are allowed before the first wait, for each kind of counter. */
const FREE_ATTEMPTS = {
  /** Wrong codes for one account from unknown devices. */
  account: 5,
  /** Failures from one network, for any account. */
  ip: 20,
  'pending-login': 5,
  /** Wrong passwords from a device that has logged in before. */
  device: 10,
  /** Wrong codes from a device on which the user has entered a correct code before. */
  'device-code': 5,
  /** Wrong passwords for one account from one network. */
  'account-network': 5,
  /**
   * Wrong passwords for one account from one IPv6 /48 prefix. One customer may own a whole /48 prefix with its 65,536
   * networks.
   */
  'account-prefix': 20,
};
/**
 * After this many wrong passwords for one account in an hour, from all networks together, unknown devices have to wait.
 */
const MAX_ACCOUNT_FAILURES = 100;
/**
 * How many wrong passwords from one network or one IPv6 /48 prefix count towards `MAX_ACCOUNT_FAILURES`, so that one
 * network cannot reach this limit alone.
 */
const MAX_CONTRIBUTED: Partial<Record<ThrottleKind, number>> = {
  'account-network': 10,
  'account-prefix': 20,
};
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15 * 60_000;
export const FAILURES_FORGOTTEN_AFTER_MS = 60 * 60_000;

export interface Failures {
  count: number;
  lastAtMs: number;
}

/**
 * `account-total` counts the failures of an account from all unknown devices. It is forgotten an hour after the first
 * failure. The other counters are forgotten an hour after the latest failure.
 */
export type ThrottleKind = keyof typeof FREE_ATTEMPTS | 'account-total';

export interface FailedLogin {
  subjects: readonly (readonly [ThrottleKind, string])[];
  /**
   * The account whose `account-total` is raised, unless a subject has reached its limit in `MAX_CONTRIBUTED`. Undefined
   * for known devices.
   */
  totalOf: string | undefined;
  /** Undefined if no user has the e-mail address that was entered. */
  user: User | undefined;
  action: 'user.sign-in-failed' | 'user.confirmation-failed';
  ip: string;
  atMs: number;
}

export interface LoginThrottleStore {
  find(throttled: ThrottleKind, subject: string): Promise<Failures | undefined>;
  noteFailure(throttled: ThrottleKind, subject: string, atMs: number): Promise<void>;
  /** Counts a failed login for each subject and, if the user exists, writes an audit entry, in one transaction. */
  noteFailedLogin(failure: FailedLogin): Promise<void>;
  /** Counts an attempt before its check. False, without counting, if another one was counted since `seen` was read. */
  takeAttempt(
    throttled: ThrottleKind,
    subject: string,
    count: { seen: number; atMs: number },
  ): Promise<boolean>;
  forget(throttled: ThrottleKind, subject: string): Promise<void>;
  forgetOld(beforeMs: number): Promise<void>;
}

/** The time until the next attempt is accepted; 0 means now. */
export function waitAfter(
  throttled: keyof typeof FREE_ATTEMPTS,
  failures: Failures | undefined,
  nowMs: number,
): number {
  if (!failures || isForgotten(failures, nowMs)) return 0;
  const tooMany = failures.count - FREE_ATTEMPTS[throttled];
  if (tooMany < 0) return 0;
  const waitMs = Math.min(FIRST_WAIT_MS * 2 ** tooMany, MAX_WAIT_MS);
  return Math.max(0, Math.min(failures.lastAtMs + waitMs - nowMs, waitMs));
}

/** True if the account was attacked from many networks. Unknown devices then have to wait until the hour is over. */
export function isUnderAttack(failures: Failures | undefined, nowMs: number): boolean {
  return failures !== undefined && !isForgotten(failures, nowMs) && failures.count >= MAX_ACCOUNT_FAILURES;
}

/** Whether the latest of `count` failures of a subject still counts towards the total of the account. */
export function mayContribute(throttled: ThrottleKind, count: number): boolean {
  return count <= (MAX_CONTRIBUTED[throttled] ?? Infinity);
}

/**
 * Failures are also forgotten if their time is far in the future. The clock was then set back, and nobody should have
 * to wait until that time.
 */
function isForgotten({ lastAtMs }: Failures, nowMs: number): boolean {
  return Math.abs(nowMs - lastAtMs) >= FAILURES_FORGOTTEN_AFTER_MS;
}

/**
 * The name under which the failures of an account are counted. All ways to write an e-mail address count as one
 * account, even if no user has the address. Otherwise the throttle would reveal which addresses have an account.
 */
export function throttledAccount(email: string): string {
  return addressesMeant(email).at(-1) ?? '';
}

/** The subject under which `account-network` counts failures. */
export function accountOnNetwork(email: string, ip: string): string {
  return `${throttledAccount(email)} ${networkOf(ip, 64)}`;
}

/** The subject under which `account-prefix` counts failures; undefined for IPv4. */
export function accountOnPrefix(email: string, ip: string): string | undefined {
  const prefix = networkOf(ip, 48);
  return prefix.includes(':') ? `${throttledAccount(email)} ${prefix}` : undefined;
}
