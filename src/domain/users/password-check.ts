// Checks passwords one at a time, with a rest after each check: hashing is slow by design and must not take the
// processor from signed-in users and API requests. Known devices get three of four turns and take turns among each
// other. So do the networks of unknown devices: a flood of logins from one network does not block the others.

import { makeFairQueue } from '../fair-queue.ts';
import { networkOf } from '../ip.ts';
import { isPassword, NOBODYS_HASH } from './password.ts';

/** Fifty users behind one router who all log in at the start of a shift get in. */
const MAX_WAITING = 200;
const MAX_WAIT_MS = 30_000;
/** The rest as a multiple of the duration of the check: hashing never uses more than half of one processor. */
const REST = 1;
/** Every fourth check is for an unknown device, if one is waiting. */
const UNKNOWN_DEVICE_TURN = 4;
/** The retry time for a login that was turned away as busy. */
export const BUSY_RETRY_S = 5;

export interface PasswordCheckInput {
  password: string;
  /** Without a stored hash, the check takes as long and is never true. */
  stored: string | undefined;
  ip: string;
  /** The id of a known device; undefined for an unknown device. */
  device: string | undefined;
}

export type PasswordCheck = (input: PasswordCheckInput) => Promise<boolean | 'busy'>;

interface Deps {
  /** Aborts when the service stops; waiting checks then end as `busy`. */
  stopping: AbortSignal;
  compare?: typeof isPassword;
}

interface Waiting {
  lane: string;
  sinceMs: number;
  settle(outcome: 'started' | 'busy'): void;
}

export function makePasswordCheck({ stopping, compare = isPassword }: Deps): PasswordCheck {
  let isTaken = false;
  let turn = 0;
  const known = makeFairQueue<Waiting>();
  const others = makeFairQueue<Waiting>();

  stopping.addEventListener('abort', () => {
    for (const queue of [known, others])
      for (let next = queue.shift(); next; next = queue.shift()) next.settle('busy');
  });

  return async function checkPassword({ password, stored, ip, device }) {
    if (stopping.aborted) return 'busy';
    if (isTaken) {
      const started = device ? await waitIn(known, device) : await waitIn(others, networkOf(ip, 48));
      if (started === 'busy') return 'busy';
    }
    isTaken = true;
    const startedAtMs = performance.now();
    try {
      const right = await compare(password, stored ?? NOBODYS_HASH);
      return right && stored !== undefined;
    } finally {
      setTimeout(startNext, REST * (performance.now() - startedAtMs)).unref();
    }
  };

  function waitIn(queue: typeof known, lane: string): Promise<'started' | 'busy'> | 'busy' {
    if (queue.size >= MAX_WAITING) {
      const evicted = queue.evictFor(lane);
      if (!evicted) return 'busy';
      evicted.settle('busy');
    }
    return new Promise((settle) => {
      queue.push(lane, { lane, sinceMs: performance.now(), settle });
    });
  }

  function startNext(): void {
    refuseOld();
    turn = (turn + 1) % UNKNOWN_DEVICE_TURN;
    const [first, second] = turn === 0 ? [others, known] : [known, others];
    const next = first.shift() ?? second.shift();
    if (next) next.settle('started');
    else isTaken = false;
  }

  function refuseOld(): void {
    const beforeMs = performance.now() - MAX_WAIT_MS;
    for (const queue of [known, others])
      for (const waiting of queue.inOrder())
        if (waiting.sinceMs < beforeMs) {
          queue.remove(waiting.lane, waiting);
          waiting.settle('busy');
        }
  }
}
