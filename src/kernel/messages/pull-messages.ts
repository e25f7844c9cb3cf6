// Messages of a channel whose recipients ask for them, and which must not be sent twice: print jobs for printers that
// poll. The state of a message is stored before its first byte is handed out, so every instance can continue.

import type { MessageId } from '../ids.ts';
import { type ConcludingDeps, makeConcludeAttempt } from './conclude-attempt.ts';
import type { AttemptOutcome, Message, MessageQueue } from './message.ts';

const NOT_CONFIRMED: AttemptOutcome = {
  result: 'unknown',
  durationMs: 0,
  status: null,
  error: 'the recipient asked for the next message and had not confirmed this one',
  response: null,
  maxPauseMs: 10_000,
};

export interface PulledMessages {
  /**
   * The recipient asks for work. If a message was handed out and not confirmed, it ends as `uncertain`. Returns the
   * message that the recipient gets next.
   */
  poll(recipientId: number): Promise<Message | undefined>;
  /** The message that the recipient gets next or is getting; with `id`, only if it is this one. Changes nothing. */
  find(recipientId: number, id?: MessageId): Promise<Message | undefined>;
  /**
   * Records that the message is handed out, for the first time or again. Undefined if it was handed out or finished
   * since it was read.
   */
  handOut(message: Message): Promise<HandedOutMessage | undefined>;
  /**
   * Without `id`, confirms the message that was handed out. Returns false if there is no such message, for example
   * because it was confirmed before.
   */
  confirm(recipientId: number, id: MessageId | undefined, outcome: AttemptOutcome): Promise<boolean>;
  conclude(message: Message, outcome: AttemptOutcome): Promise<boolean>;
}

export interface HandedOutMessage {
  /** Call this if the message did not get out completely. It waits again, unless it was handed out once more. */
  giveBack(): Promise<void>;
}

interface Deps extends ConcludingDeps {
  queue: Pick<MessageQueue, 'next' | 'handOut' | 'giveBack' | 'confirm' | 'confirmLate'>;
}

export function makePulledMessages(deps: Deps): PulledMessages {
  const { channel, queue } = deps;
  const conclude = makeConcludeAttempt(deps);

  async function find(recipientId: number, id?: MessageId): Promise<Message | undefined> {
    const message = await queue.next(channel, recipientId);
    return id === undefined || message?.id === id ? message : undefined;
  }

  return {
    async poll(recipientId) {
      for (;;) {
        const message = await find(recipientId);
        if (message?.state !== 'sending') return message;
        await conclude(message, NOT_CONFIRMED);
      }
    },

    find,
    conclude,

    async handOut(message) {
      const handedOut = await queue.handOut(message);
      if (!handedOut) return undefined;
      return {
        async giveBack() {
          // A message that was handed out before may have got out completely then.
          if (message.state === 'waiting') await queue.giveBack(handedOut);
        },
      };
    },

    async confirm(recipientId, id, outcome) {
      // If the message is handed out again at this moment, its outcome is recorded at the second try.
      for (;;) {
        const message = await find(recipientId, id);
        if (!message || (id === undefined && !wasHandedOut(message))) break;
        if (await conclude(message, outcome)) return true;
      }
      if (id === undefined || outcome.result !== 'done') return false;
      return queue.confirmLate(channel, { recipientId, id }, outcome);
    },
  };
}

/** A message that was given back may have got out nevertheless. */
function wasHandedOut({ state, attempts }: Message): boolean {
  return state === 'sending' || attempts > 0;
}
