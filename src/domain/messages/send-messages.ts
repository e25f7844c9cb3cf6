// Sends the waiting messages to one recipient, one after the other. The worker calls it separately for each recipient,
// so that a dead recipient does not delay the others. An interrupted attempt is repeated. If the channel forbids that,
// the message ends as `uncertain`.

import type { JoinedSignal } from '../join-signals.ts';
import type { WithLease } from '../leases/leases.ts';
import type { Channel } from './channel.ts';
import { type ConcludingDeps, makeConcludeAttempt } from './conclude-attempt.ts';
import type { AttemptOutcome, Message, MessageQueue } from './message.ts';

/** How many later messages are read to join them with the next one. Limits the work per attempt. */
const MAX_LOOKED_AT = 1_000;

/** How long a call in progress may still take when the service stops. A mail server may take minutes for one mail. */
const GRACE_MS = 10_000;

const INTERRUPTED: AttemptOutcome = {
  result: 'unknown',
  durationMs: 0,
  status: null,
  error: 'the attempt was interrupted',
  response: null,
};

export type SendTo = (recipientId: number, signal: AbortSignal) => Promise<void>;

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

  return async function sendTo(recipientId, signal) {
    // When the service stops, the call in progress may be finished: if it is aborted, the message is sent again.
    using grace = abortLater(channel.mayRepeat ? signal : undefined, GRACE_MS * pace);
    await withLease(`${channel.name} ${recipientId}`, grace.signal, async (held) => {
      while (!signal.aborted) {
        const message = await queue.next(channel, recipientId);
        if (!message) return;
        if (message.state === 'sending') await conclude(message, INTERRUPTED);
        else if (!(await sendOne(message, held))) return;
      }
    });
  };

  /** False if the message has to wait, the lease was lost or the grace is over. */
  async function sendOne(next: Message, held: AbortSignal): Promise<boolean> {
    const message = await channel.prepare(next, () => queue.listBehind(channel, next, MAX_LOOKED_AT));
    if (!message) return false;
    if (!channel.mayRepeat && !(await queue.begin(next))) return true;
    const outcome = await channel.send(message, held);
    // Whoever has the lease next decides what happens to the message.
    if (held.aborted) return false;
    await conclude(message, outcome);
    return true;
  }
}

/** Aborts some time after the signal; never without one. */
function abortLater(signal: AbortSignal | undefined, ms: number): JoinedSignal {
  const later = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    timer = setTimeout(() => later.abort(), ms);
  };
  signal?.addEventListener('abort', begin);
  if (signal?.aborted) begin();
  return {
    signal: later.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', begin);
    },
  };
}
