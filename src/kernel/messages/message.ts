// A message to a recipient outside Gastpass, such as a notification to a webhook, and the interface of the queue. One
// queue holds the messages of all channels, with their attempts.

import type { MessageId, VoucherId } from '../ids.ts';

/**
 * `held`: waits for the voucher of an order. `sending`: an attempt has begun that must not be repeated. `merged`: its
 * content was sent with another message. `failed`: given up. `uncertain`: it may have arrived, and is not repeated.
 * `cancelled`: no longer of use, so it was not sent. `expired`: could not be sent in time.
 */
export const MESSAGE_STATES = [
  'held',
  'waiting',
  'sending',
  'done',
  'merged',
  'failed',
  'uncertain',
  'cancelled',
  'expired',
] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

export interface NewMessage {
  /** The id of the recipient within its channel. */
  recipientId: number;
  /**
   * The id of the event. Every recipient and every attempt gets the same id, so that a recipient recognises a repeated
   * message.
   */
  eventId: string;
  kind: string;
  /** Facts as JSON. The channel turns them into sentences. */
  payload: unknown;
  /** Facts that are stored sealed. A message with sealed facts is the only one with its event id. */
  sealedPayload?: unknown;
  /** Who ordered the message (see `toActorText`), if the number of messages per hour is limited. */
  orderedBy?: string;
  occurredAtMs: number;
}

export interface Message extends Omit<NewMessage, 'orderedBy'> {
  id: MessageId;
  /** Undefined if there are no sealed facts, or if they cannot be opened. */
  sealedPayload: unknown;
  state: 'waiting' | 'sending';
  /** The number of attempts so far. Attempts that failed because of the recipient's set-up are not counted. */
  attempts: number;
  /** Failed attempts in a row, of all messages to this recipient. */
  failures: number;
  /** The message with which this message was sent, if any. If this message is sent again, it is sent alone. */
  mergedInto: MessageId | null;
  /** The voucher that the message was written for. */
  voucherId: VoucherId | null;
}

/** A message that contains the content of later messages. Once it is sent, the later ones need not be sent. */
export interface JoinedMessage extends Message {
  merged: MessageId[];
}

/** One attempt, as the log shows it. */
export interface Attempt {
  durationMs: number;
  /** The status of the response, for channels that have one. */
  status: number | null;
  error: string | null;
  /** The beginning of the response to a failed attempt; a text of unknown origin. */
  response: string | null;
}

/** An attempt that ended before anything was sent. */
export const NOTHING_SENT: Attempt = { durationMs: 0, status: null, error: null, response: null };

export type AttemptOutcome = Attempt &
  (
    | {
        result: 'done';
        /** Time until the recipient may be called again. */
        pauseMs?: number;
      }
    | {
        result: 'later';
        /** `recipient`: all messages to the recipient wait. `message`: only this message cannot be sent now. */
        pauses: 'recipient' | 'message';
        /** How long the recipient asks to wait. */
        retryAfterMs: number | null;
        /**
         * True if no message could have been sent, for example because a login fails. Then the attempt does not count,
         * and the message waits for as long as it takes.
         */
        isFaultOfRecipient?: true;
        /** The longest pause after a fault of the recipient, if it is not the usual one. */
        maxPauseMs?: number;
      }
    | {
        result: 'never';
        /** The reason for switching the recipient off, if it wants no further messages. */
        offBecause?: string;
      }
    | {
        result: 'unknown';
        /** The longest pause of the recipient, if it is not the usual one. */
        maxPauseMs?: number;
      }
    /** Nothing was sent. `cancelled`: the message is no longer of use. `expired`: it could not be sent in time. */
    | { result: 'cancelled' | 'expired' }
  );

/** What happens to the message and the recipient after an attempt. */
export interface Verdict {
  state: MessageState;
  pauses: 'recipient' | 'message';
  pauseMs: number;
  failed: boolean;
  /** Whether the attempt is one of the ten that a message gets. */
  isCounted: boolean;
  /** The reason why the recipient is switched off; null if it stays on. */
  offBecause: string | null;
}

/** What the queue needs to know about a channel. */
export interface ChannelRules {
  name: string;
  /** The kinds of messages that this release can send. Others are left to instances of a newer release. */
  kinds: readonly string[];
  /** Whether a message waits until all earlier messages to its recipient are finished. */
  keepsSequence: boolean;
}

export interface MessageQueue {
  /** Recipients that may be called now and have messages. Their first message may still have to wait: see `next`. */
  listDue(channel: ChannelRules): Promise<number[]>;
  /**
   * The next message to the recipient, or the one that is being sent. Undefined while the recipient or the message has
   * to wait. Changes nothing.
   */
  next(channel: ChannelRules, recipientId: number): Promise<Message | undefined>;
  /** A message that waits or is being sent. */
  find(channel: ChannelRules, id: MessageId): Promise<Message | undefined>;
  /** Messages that wait behind this one and were neither tried nor merged, oldest first. */
  listBehind(channel: ChannelRules, message: Message, limit: number): Promise<Message[]>;
  /** Records that an attempt begins. False if another instance has already processed the message. */
  begin(message: Message): Promise<boolean>;
  /**
   * Records that the message is handed out to a recipient that asks for it: an attempt, which counts from its
   * beginning. A message that is being sent may be handed out again. Returns the message as it is now; undefined if it
   * has changed since it was read.
   */
  handOut(message: Message): Promise<Message | undefined>;
  /** Lets a message wait again that did not get out. Does nothing if it was handed out again or finished since then. */
  giveBack(message: Message): Promise<void>;
  /**
   * Records an attempt. If the message is done, the messages that were merged into it are done, too. Returns false and
   * records nothing if another instance has finished the message or made an attempt that counts in the meantime.
   */
  confirm(
    channel: ChannelRules,
    message: Message | JoinedMessage,
    made: Attempt,
    verdict: Verdict,
  ): Promise<boolean>;
  /**
   * Records that a message has arrived whose outcome was uncertain. Returns false if there is no such message, or if
   * its outcome is known.
   */
  confirmLate(
    channel: ChannelRules,
    message: Pick<Message, 'id' | 'recipientId'>,
    made: Attempt,
  ): Promise<boolean>;
  /**
   * Gives up waiting messages whose event occurred before `beforeMs`, because they are too old to be of interest. Keeps
   * messages that were written for a voucher: they are of interest as long as the voucher is.
   */
  giveUpWaiting(channel: ChannelRules, beforeMs: number): Promise<void>;
  /**
   * Deletes messages of all channels that finished before `beforeMs`. Keeps messages that were written for a voucher:
   * they are deleted with the voucher.
   */
  forgetFinished(beforeMs: number): Promise<void>;
}

/**
 * A message that is stored together with an order. It is sent when the ordered voucher exists, and deleted if the order
 * is abandoned.
 */
export interface HeldMessage extends NewMessage {
  channel: string;
  /** The messages of vouchers that are ordered together are spread over the recipients 1 to this number. */
  lanes?: number;
}
