// A channel sends messages to recipients of one kind. To add one, write a folder in `src/channels` and name it in
// `src/channels/channels.ts`.

import type { ChannelRules, JoinedMessage, Message, Outcome } from './message.ts';

export interface Channel extends ChannelRules {
  /**
   * Whether a message may be sent again after an attempt with an unknown outcome, such as one that a crash interrupted.
   */
  mayRepeat: boolean;
  /** Writes messages for events that happened meanwhile, up to this number; returns how many. */
  collect?(limit: number): Promise<number>;
  /**
   * What the next attempt sends: the message, or one that includes later messages as well. Undefined if this instance
   * cannot send it, for example because a newer release wrote it: then it stays queued, and so do the messages behind it.
   */
  prepare(message: Message, listBehind: () => Promise<Message[]>): Promise<JoinedMessage | undefined>;
  /** Never throws: a missing response is an outcome too. */
  send(message: Message, signal: AbortSignal): Promise<Outcome>;
}
