// Slows down who guesses passwords or codes, by account and by address. Nobody is locked out for good: each
// further failure doubles the wait, up to a quarter of an hour, and an hour without one forgets them all.

const FREE_TRIES = { account: 5, address: 20, 'half-sign-in': 5 };
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15 * 60_000;
export const FORGOTTEN_AFTER_MS = 60 * 60_000;

export interface Failures {
  count: number;
  lastAtMs: number;
}

export type ThrottleKind = keyof typeof FREE_TRIES;

export interface LoginThrottleStore {
  find(throttled: ThrottleKind, subject: string): Promise<Failures | undefined>;
  noteFailure(throttled: ThrottleKind, subject: string, atMs: number): Promise<void>;
  /** Counts a try in advance, unless another was counted since so many were seen. */
  takeAttempt(
    throttled: ThrottleKind,
    subject: string,
    count: { seen: number; atMs: number },
  ): Promise<boolean>;
  forget(throttled: ThrottleKind, subject: string): Promise<void>;
  forgetOld(beforeMs: number): Promise<void>;
}

/** How long until the next try is listened to; 0 for now. */
export function waitAfter(throttled: ThrottleKind, failures: Failures | undefined, nowMs: number): number {
  if (!failures || nowMs - failures.lastAtMs >= FORGOTTEN_AFTER_MS) return 0;
  const tooMany = failures.count - FREE_TRIES[throttled];
  if (tooMany < 0) return 0;
  const waitMs = Math.min(FIRST_WAIT_MS * 2 ** tooMany, MAX_WAIT_MS);
  return Math.max(0, Math.min(failures.lastAtMs + waitMs - nowMs, waitMs));
}

/** An IPv6 customer has whole networks, and with them any number of addresses: so many bits count as one. */
export function networkOf(address: string, bits: 48 | 64): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [left = [], right] = address.split('::').map((side) => (side === '' ? [] : side.split(':')));
  const missing = right ? 8 - left.length - right.length : 0;
  const groups = [...left, ...Array<string>(missing).fill('0'), ...(right ?? [])];
  return `${groups.slice(0, bits / 16).join(':')}::/${bits}`;
}
