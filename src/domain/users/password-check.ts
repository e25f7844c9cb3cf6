// Checks passwords one at a time, with a rest after each check: hashing is slow by design and must not take the
// processor from signed-in users and API requests. Known devices go first. Otherwise networks take turns, so that a
// flood of logins from one network does not block the others.

import { makeFairQueue } from '../fair-queue.ts';
import { networkOf } from '../sessions/login-throttle.ts';
import { isPassword, NOBODYS_HASH } from './password.ts';

/** Fifty users behind one router who all log in at the start of a shift get in. */
const MAX_WAITING = 200;
const MAX_WAIT_MS = 30_000;
/** The rest as a multiple of the duration of the check: hashing never uses more than half of one processor. */
const REST = 1;
/** The retry time for a login that was turned away as busy. */
export const BUSY_RETRY_S = 5;

export interface PasswordCheckInput {
  password: string;
  /** Without a stored hash, the check takes as long and is never true. */
  stored: string | undefined;
  ip: string;
  isKnownDevice: boolean;
}

export type PasswordCheck = (input: PasswordCheckInput) => Promise<boolean | 'busy'>;

interface Deps {
  /** Aborts when the service stops; waiting checks then end as `busy`. */
  stopping: AbortSignal;
  compare?: typeof isPassword;
}

interface Waiting {
  network: string;
  sinceMs: number;
  settle(outcome: 'started' | 'busy'): void;
}

export function makePasswordCheck({ stopping, compare = isPassword }: Deps): PasswordCheck {
  let isTaken = false;
  const known = makeFairQueue<Waiting>();
  const others = makeFairQueue<Waiting>();

  stopping.addEventListener('abort', () => {
    for (const queue of [known, others])
      for (let next = queue.shift(); next; next = queue.shift()) next.settle('busy');
  });

  return async function checkPassword({ password, stored, ip, isKnownDevice }) {
    if (stopping.aborted) return 'busy';
    const queue = isKnownDevice ? known : others;
    if (isTaken && (await waitIn(queue, networkOf(ip, 48))) === 'busy') return 'busy';
    isTaken = true;
    const startedAtMs = performance.now();
    try {
      const right = await compare(password, stored ?? NOBODYS_HASH);
      return right && stored !== undefined;
    } finally {
      setTimeout(startNext, REST * (performance.now() - startedAtMs)).unref();
    }
  };

  function waitIn(queue: typeof known, network: string): Promise<'started' | 'busy'> | 'busy' {
    if (queue.size >= MAX_WAITING) {
      const evicted = queue.evictFor(network);
      if (!evicted) return 'busy';
      evicted.settle('busy');
    }
    return new Promise((settle) => {
      queue.push(network, { network, sinceMs: performance.now(), settle });
    });
  }

  function startNext(): void {
    refuseOld();
    const next = known.shift() ?? others.shift();
    if (next) next.settle('started');
    else isTaken = false;
  }

  function refuseOld(): void {
    const beforeMs = performance.now() - MAX_WAIT_MS;
    for (const queue of [known, others])
      for (const waiting of queue.inOrder())
        if (waiting.sinceMs < beforeMs) {
          queue.remove(waiting.network, waiting);
          waiting.settle('busy');
        }
  }
}
