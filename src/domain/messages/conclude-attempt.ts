// Records an attempt to send a message, and what follows from it. Counts it and logs a failure.

import type { Log } from '../log.ts';
import type { JudgeAttempt } from './judge-attempt.ts';
import type { AttemptOutcome, ChannelRules, JoinedMessage, Message, MessageQueue } from './message.ts';

/** Returns false and changes nothing if the message was finished or continued by another attempt in the meantime. */
export type ConcludeAttempt = (message: Message | JoinedMessage, outcome: AttemptOutcome) => Promise<boolean>;

export interface ConcludingDeps {
  channel: ChannelRules;
  queue: Pick<MessageQueue, 'confirm'>;
  judgeAttempt: JudgeAttempt;
  log: Log;
  observe: (channel: string, outcome: 'delivered' | 'failed') => void;
}

export function makeConcludeAttempt(deps: ConcludingDeps): ConcludeAttempt {
  const { channel, queue, judgeAttempt, log, observe } = deps;

  return async (message, outcome) => {
    const verdict = judgeAttempt(message, outcome);
    const { failed, state } = verdict;
    if (!(await queue.confirm(channel, message, outcome, verdict))) return false;
    if (state === 'cancelled' || state === 'expired') return true;
    observe(channel.name, failed ? 'failed' : 'delivered');
    if (!failed) return true;
    const { id: messageId, recipientId } = message;
    const { status, error: problem } = outcome;
    log.warn(
      { channel: channel.name, recipientId, messageId, status, problem, state },
      state === 'uncertain'
        ? 'it is not known whether a message was delivered'
        : 'a message was not delivered',
    );
    return true;
  };
}
