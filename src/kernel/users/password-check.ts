// Checks passwords one at a time, with a pause after each check: hashing is slow by design and must not take the
// processor from signed-in users and API requests. Known devices get three of four checks and take turns. The fourth is
// for unknown devices, whose networks take turns; networks with a recent wrong password come last. So a flood of logins
// from some networks does not block the others.

import { makeFairQueue } from '../../platform/concurrency/fair-queue.ts';
import { networkOf } from '../../platform/network/ip.ts';
import { isPassword, NOBODYS_HASH } from './password.ts';

/** More than enough for fifty users behind one router who all log in at the start of a shift. */
const MAX_WAITING = 200;
/** Shorter than the 60 seconds after which proxies usually give up. */
const MAX_WAIT_MS = 45_000;
/** The pause after a check, as a multiple of its duration. With 1, hashing uses at most half of one processor. */
const REST = 1;
/**
 * The pause after a wrong password from an unknown device during an attack, as a multiple of the duration of the check.
 * With 9, hashing uses a tenth of one processor.
 */
const REST_DURING_ATTACK = 9;
/**
 * The longest pause during an attack. On a busy machine a check takes seconds, and known devices must not wait nine
 * times as long.
 */
const MAX_REST_DURING_ATTACK_MS = 3_000;
/** If unknown devices send more wrong passwords than this within `MISTAKES_MS`, this counts as an attack. */
const MAX_MISTAKES = 10;
const MISTAKES_MS = 60_000;
/** Networks that sent a wrong password within this time come last. */
const SUSPECT_MS = 10 * 60_000;
const MAX_SUSPECTS = 10_000;
/** Every fourth check is for an unknown device, if one is waiting. */
const UNKNOWN_DEVICE_TURN = 4;
/** The retry time for a login that was turned away as busy. */
export const BUSY_RETRY_S = 5;

export interface PasswordCheckInput {
  password: string;
  /** Undefined for an unknown user: the check then takes as long as for a known user, and its result is false. */
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
  /** When the latest wrong passwords of unknown devices were checked. */
  const mistakes: number[] = [];
  /** The networks that sent wrong passwords, with the time of the latest wrong password; oldest first. */
  const suspects = new Map<string, number>();
  const known = makeFairQueue<Waiting>();
  const others = makeFairQueue<Waiting>();
  const suspected = makeFairQueue<Waiting>();
  const queues = [known, others, suspected];

  stopping.addEventListener('abort', () => {
    for (const queue of queues)
      for (let next = queue.shift(); next; next = queue.shift()) next.settle('busy');
  });

  return async function checkPassword({ password, stored, ip, device }) {
    if (stopping.aborted) return 'busy';
    const network = networkOf(ip, 48);
    if (isTaken) {
      const queue = device ? known : isSuspect(network) ? suspected : others;
      if ((await waitIn(queue, device ?? network)) === 'busy') return 'busy';
    }
    isTaken = true;
    const startedAtMs = performance.now();
    let right = false;
    try {
      right = (await compare(password, stored ?? NOBODYS_HASH)) && stored !== undefined;
      return right;
    } finally {
      const tookMs = performance.now() - startedAtMs;
      const isAttack = !right && !device && noteMistake(network) === 'attack';
      const longerMs = isAttack ? Math.min(REST_DURING_ATTACK * tookMs, MAX_REST_DURING_ATTACK_MS) : 0;
      setTimeout(startNext, Math.max(REST * tookMs, longerMs)).unref();
    }
  };

  /** Remembers a wrong password of an unknown device. Returns `attack` if there were too many of them recently. */
  function noteMistake(network: string): 'attack' | undefined {
    const nowMs = performance.now();
    suspects.delete(network);
    suspects.set(network, nowMs);
    for (const oldest of suspects.keys()) {
      if (suspects.size <= MAX_SUSPECTS) break;
      suspects.delete(oldest);
    }
    mistakes.push(nowMs);
    if (mistakes.length <= MAX_MISTAKES) return undefined;
    return nowMs - (mistakes.shift() ?? nowMs) < MISTAKES_MS ? 'attack' : undefined;
  }

  function isSuspect(network: string): boolean {
    return performance.now() - (suspects.get(network) ?? -Infinity) < SUSPECT_MS;
  }

  function waitIn(queue: typeof known, lane: string): Promise<'started' | 'busy'> | 'busy' {
    const waiting = queue === known ? known.size : others.size + suspected.size;
    if (waiting >= MAX_WAITING) {
      const evicted = (queue === others ? suspected.evictFor(lane) : undefined) ?? queue.evictFor(lane);
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
    const order = turn === 0 ? [others, suspected, known] : queues;
    const next = order.find((queue) => queue.size > 0)?.shift();
    if (next) next.settle('started');
    else isTaken = false;
  }

  function refuseOld(): void {
    const beforeMs = performance.now() - MAX_WAIT_MS;
    for (const queue of queues)
      for (const waiting of queue.inTurn())
        if (waiting.sinceMs < beforeMs) {
          queue.remove(waiting.lane, waiting);
          waiting.settle('busy');
        }
  }
}
