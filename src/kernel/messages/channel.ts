// A channel sends messages to recipients of one kind. A feature declares its channel in its
// `feature.ts`.

import type { AttemptOutcome, ChannelRules, JoinedMessage, Message } from './message.ts';

/**
 * Records that the attempt can no longer be undone. An attempt that is interrupted before this is repeated; one that is
 * interrupted after it ends as `uncertain`. If the result is false, nothing must be sent, and the outcome is ignored.
 */
export type Begin = () => Promise<boolean>;

export interface Channel extends ChannelRules {
  /**
   * Whether a message may be sent again after an attempt with an unknown outcome, such as one that a crash interrupted.
   * If not, `send` calls `begin` immediately before it does what cannot be undone.
   */
  mayRepeat: boolean;
  /**
   * Writes messages for the events since the last call, but for at most `limit` events. Returns the number of events.
   */
  collect?(limit: number): Promise<number>;
  /**
   * What the next attempt sends: the message, alone or joined with later ones. Undefined if this instance cannot send
   * the message, for example because a newer release wrote it. Then the message stays queued, and the messages behind
   * it wait too.
   */
  prepare(message: Message, listBehind: () => Promise<Message[]>): Promise<JoinedMessage | undefined>;
  /**
   * Never throws: a missing response is an outcome too. The signal aborts when the attempt has to end, and its outcome
   * is then ignored. If the service stops after `begin`, the attempt has ten more seconds.
   */
  send(message: Message, signal: AbortSignal, begin: Begin): Promise<AttemptOutcome>;
}
