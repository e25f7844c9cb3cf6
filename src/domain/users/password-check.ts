// Checks passwords one at a time, with a rest after each check: hashing is slow by design and must not take the
// processor from signed-in users and API requests. A flood of login attempts does not block other users.

import { networkOf } from '../sessions/login-throttle.ts';
import { isPassword, NOBODYS_HASH } from './password.ts';

const MAX_WAITING = 50;
const MAX_WAIT_MS = 10_000;
/** The rest as a multiple of the duration of the check: hashing never uses more than a fifth of one processor. */
const REST = 4;
/** The retry time for a login that was turned away as busy. */
export const BUSY_RETRY_S = 5;

/** Without a stored hash, the check takes as long and is never true. */
export type PasswordCheck = (
  password: string,
  stored: string | undefined,
  ip: string,
) => Promise<boolean | 'busy'>;

interface Deps {
  /** Aborts when the service stops; waiting checks then end as `busy`. */
  stopping: AbortSignal;
  compare?: typeof isPassword;
}

interface Waiting {
  ip: string;
  /** The number of checks from this network that were already waiting. */
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

  return async function checkPassword(password, stored, ip) {
    if (stopping.aborted || (await ownTurn(networkOf(ip, 48))) === 'busy') return 'busy';
    const startedAtMs = performance.now();
    try {
      const right = await compare(password, stored ?? NOBODYS_HASH);
      return right && stored !== undefined;
    } finally {
      setTimeout(endTurn, REST * (performance.now() - startedAtMs)).unref();
    }
  };

  function ownTurn(ip: string): Promise<'come' | 'busy'> | 'come' {
    if (isTaken) return new Promise((resolve) => join(ip, resolve));
    isTaken = true;
    return 'come';
  }

  /**
   * The first check of each network goes before the second checks, and so on. Among checks of equal rank the newest
   * goes first: a check that has waited for long is probably part of a flood, and a new client is next.
   */
  function join(ip: string, call: Waiting['call']): void {
    const rank = line.filter((one) => one.ip === ip).length;
    const place = line.findIndex((one) => one.rank >= rank);
    const one = { ip, rank, sinceMs: performance.now(), call };
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
