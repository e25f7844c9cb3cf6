// Checks passwords one at a time, with a rest after each: hashing is made to be slow, and must not take the
// processor away from those who are signed in or call the API. Who guesses in crowds does not keep others out.

import { networkOf } from '../sessions/login-throttle.ts';
import { isPassword, NOBODYS_HASH } from './password.ts';

const MAX_WAITING = 50;
const MAX_WAIT_MS = 10_000;
/** So many times as long as the work took: hashing never gets more than a fifth of one processor. */
const REST = 4;
/** What those are told who found it busy. */
export const BUSY_RETRY_S = 5;

/** Of nobody's hash it takes as long and is never right. */
export type PasswordCheck = (
  password: string,
  stored: string | undefined,
  address: string,
) => Promise<boolean | 'busy'>;

interface Deps {
  /** Ends when the service stops; nobody waits any longer then. */
  stopping: AbortSignal;
  compare?: typeof isPassword;
}

interface Waiting {
  address: string;
  /** How many of this address were in line before. */
  rank: number;
  sinceMs: number;
  call(answer: 'come' | 'busy'): void;
}

export function makePasswordCheck({ stopping, compare = isPassword }: Deps): PasswordCheck {
  let isTaken = false;
  const line: Waiting[] = [];

  stopping.addEventListener('abort', () => {
    for (const one of line.splice(0)) one.call('busy');
  });

  return async function checkPassword(password, stored, address) {
    if (stopping.aborted || (await ownTurn(networkOf(address, 48))) === 'busy') return 'busy';
    const startedAtMs = performance.now();
    try {
      const right = await compare(password, stored ?? NOBODYS_HASH);
      return right && stored !== undefined;
    } finally {
      setTimeout(endTurn, REST * (performance.now() - startedAtMs)).unref();
    }
  };

  function ownTurn(address: string): Promise<'come' | 'busy'> | 'come' {
    if (isTaken) return new Promise((resolve) => join(address, resolve));
    isTaken = true;
    return 'come';
  }

  /**
   * The first of each address come before the second ones, and among equals the last comes first: whoever has
   * waited for long is one of a crowd, and somebody who comes by now is next.
   */
  function join(address: string, call: Waiting['call']): void {
    const rank = line.filter((one) => one.address === address).length;
    const place = line.findIndex((one) => one.rank >= rank);
    const one = { address, rank, sinceMs: performance.now(), call };
    line.splice(place < 0 ? line.length : place, 0, one);
    if (line.length > MAX_WAITING) line.pop()?.call('busy');
  }

  function endTurn(): void {
    const beforeMs = performance.now() - MAX_WAIT_MS;
    for (const one of line.filter(({ sinceMs }) => sinceMs < beforeMs)) {
      line.splice(line.indexOf(one), 1);
      one.call('busy');
    }
    const next = line.shift();
    if (next) next.call('come');
    else isTaken = false;
  }
}
