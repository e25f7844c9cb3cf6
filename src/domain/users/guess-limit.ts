// Slows down who guesses passwords, by account and by address. Nobody is locked out for good: each further
// failure doubles the wait, up to a quarter of an hour, and an hour without one forgets them all.

const FREE_TRIES = { account: 5, address: 20 };
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15 * 60_000;
export const FORGOTTEN_AFTER_MS = 60 * 60_000;

export interface Failures {
  count: number;
  lastAtMs: number;
}

export type Guessed = keyof typeof FREE_TRIES;

/** How long until the next try is listened to; 0 for now. */
export function waitAfter(guessed: Guessed, failures: Failures | undefined, nowMs: number): number {
  if (!failures || nowMs - failures.lastAtMs >= FORGOTTEN_AFTER_MS) return 0;
  const tooMany = failures.count - FREE_TRIES[guessed];
  if (tooMany < 0) return 0;
  const waitMs = Math.min(FIRST_WAIT_MS * 2 ** tooMany, LONGEST_WAIT_MS);
  return Math.max(0, Math.min(failures.lastAtMs + waitMs - nowMs, waitMs));
}
