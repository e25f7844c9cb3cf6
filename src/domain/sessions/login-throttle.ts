// Slows down the guessing of passwords and codes. Each further failure doubles the wait, up to 15 minutes, and failures
// are forgotten after an hour without a new one. An attacking network never locks out other networks or known devices.

import { networkOf } from '../ip.ts';
import type { User } from '../users/user.ts';

const FREE_ATTEMPTS = {
  /** Wrong codes of an account. */
  account: 5,
  /** Failures from one network, whatever the account. */
  ip: 20,
  'pending-login': 5,
  /** Wrong passwords from a device that has logged in before. */
  device: 10,
  /** Wrong passwords for one account from one network. */
  'account-network': 5,
};
/** Wrong passwords for one account from all networks together, in an hour. */
const MAX_ACCOUNT_FAILURES = 100;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15 * 60_000;
export const FORGOTTEN_AFTER_MS = 60 * 60_000;

export interface Failures {
  count: number;
  lastAtMs: number;
}

/** `account-total` counts the failures of an account from all unknown devices. */
export type ThrottleKind = keyof typeof FREE_ATTEMPTS | 'account-total';

export interface FailedLogin {
  subjects: readonly (readonly [ThrottleKind, string])[];
  /** Undefined if nobody has this e-mail address. */
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
  /** Counts an attempt in advance, unless another attempt was counted since `seen` was read. */
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

/** True if the account was attacked from many networks: unknown devices then have to wait until the hour is over. */
export function isUnderAttack(failures: Failures | undefined, nowMs: number): boolean {
  return failures !== undefined && !isForgotten(failures, nowMs) && failures.count >= MAX_ACCOUNT_FAILURES;
}

function isForgotten({ lastAtMs }: Failures, nowMs: number): boolean {
  return nowMs - lastAtMs >= FORGOTTEN_AFTER_MS;
}

/** The subject of `account-network`. */
export function accountOnNetwork(email: string, ip: string): string {
  return `${email} ${networkOf(ip, 64)}`;
}
