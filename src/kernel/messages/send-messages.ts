// Sends the waiting messages to one recipient, one after the other. The worker calls it separately for each recipient,
// so that a dead recipient does not delay the others. An interrupted attempt is repeated. If the channel forbids that,
// the message ends as `uncertain`.

import { type JoinedSignal, joinSignals } from '../../platform/concurrency/join-signals.ts';
import type { WithLease } from '../../platform/leases/leases.ts';
import type { Channel } from './channel.ts';
import { type ConcludingDeps, makeConcludeAttempt } from './conclude-attempt.ts';
import type { AttemptOutcome, Message, MessageQueue } from './message.ts';

/** How many later messages are read to join them with the next one. Limits the work per attempt. */
const MAX_LOOKED_AT = 1_000;

/** How long a call in progress may still take when the service stops. A mail server may take minutes for one mail. */
const GRACE_MS = 10_000;

/** An interruption says nothing about the recipient, so the recipient's next message waits only for a moment. */
const INTERRUPTED: AttemptOutcome = {
  result: 'unknown',
  maxPauseMs: 5_000,
  durationMs: 0,
  status: null,
  error: 'the attempt was interrupted',
  response: null,
};

/** Returns true if the recipient's next message is due, but cannot be sent by this instance at the moment. */
export type SendTo = (recipientId: number, signal: AbortSignal) => Promise<boolean>;

/** `held` aborts when the lease is lost, `stopping` when the service stops. */
interface Signals {
  held: AbortSignal;
  stopping: AbortSignal;
}

interface Deps extends ConcludingDeps {
  channel: Channel;
  queue: Pick<MessageQueue, 'next' | 'listBehind' | 'begin' | 'confirm'>;
  withLease: WithLease;
  /** Scales the grace; 1 is real time. */
  pace: number;
}

export function makeSendTo(deps: Deps): SendTo {
  const { channel, queue, withLease, pace } = deps;
  const conclude = makeConcludeAttempt(deps);

  return async function sendTo(recipientId, stopping) {
    // When the service stops, the call in progress may be finished: if it is aborted, the message is sent again, or its
    // outcome is unknown.
    using grace = abortLater(stopping, GRACE_MS * pace);
    const isBlocked = await withLease(`${channel.name} ${recipientId}`, grace.signal, async (held) => {
      while (!stopping.aborted && !held.aborted) {
        const next = await queue.next(channel, recipientId);
        if (!next) return false;
        if (next.state === 'sending') {
          await conclude(next, INTERRUPTED);
          continue;
        }
        const message = await channel.prepare(next, () => queue.listBehind(channel, next, MAX_LOOKED_AT));
        if (!message) return true;
        const outcome = await (channel.mayRepeat ? sendOften : sendOnce)(message, { held, stopping });
        if (outcome) await conclude(message, outcome);
      }
      return false;
    });
    return isBlocked === true;
  };

  /** Undefined if the lease was lost or the grace is over. Whoever has the lease next sends the message again. */
  async function sendOften(message: Message, { held }: Signals): Promise<AttemptOutcome | undefined> {
    const outcome = await channel.send(message, held, async () => true);
    return held.aborted ? undefined : outcome;
  }

  /** Undefined also if the service stops before the attempt has begun, or if another instance has begun it. */
  async function sendOnce(
    message: Message,
    { held, stopping }: Signals,
  ): Promise<AttemptOutcome | undefined> {
    const early = new AbortController();
    const abort = () => early.abort();
    using ending = joinSignals(held, early.signal);
    const { signal } = ending;
    let isBegun: boolean | undefined;
    const begin = async () => {
      if (signal.aborted) return false;
      stopping.removeEventListener('abort', abort);
      isBegun = await queue.begin(message);
      return isBegun;
    };
    stopping.addEventListener('abort', abort);
    if (stopping.aborted) abort();
    try {
      const outcome = await channel.send(message, signal, begin);
      return signal.aborted || isBegun === false ? undefined : outcome;
    } finally {
      stopping.removeEventListener('abort', abort);
    }
  }
}

/** Aborts some time after the signal. */
function abortLater(signal: AbortSignal, ms: number): JoinedSignal {
  const later = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    timer = setTimeout(() => later.abort(), ms);
  };
  signal.addEventListener('abort', begin);
  if (signal.aborted) begin();
  return {
    signal: later.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      signal.removeEventListener('abort', begin);
    },
  };
}
