// Records an attempt to send a message, and what follows from it. Counts the attempt and logs a failure. A fault of the
// recipient, such as a printer without paper, is logged only once. When the recipient works again, the log says how
// many attempts failed.

import type { Log } from '../../platform/log/log.ts';
import type { JudgeAttempt } from './judge-attempt.ts';
import type { AttemptOutcome, ChannelRules, JoinedMessage, Message, MessageQueue } from './message.ts';

/** Returns false and changes nothing if the message was finished or continued by another attempt in the meantime. */
export type ConcludeAttempt = (message: Message | JoinedMessage, outcome: AttemptOutcome) => Promise<boolean>;

export interface ConcludingDeps {
  channel: ChannelRules;
  queue: Pick<MessageQueue, 'confirm'>;
  judgeAttempt: JudgeAttempt;
  log: Log;
  observe: (outcome: 'delivered' | 'failed') => void;
}

export function makeConcludeAttempt(deps: ConcludingDeps): ConcludeAttempt {
  const { channel, queue, judgeAttempt, log, observe } = deps;
  /** By recipient: the fault that was logged last. */
  const loggedFaults = new Map<number, string | null>();

  return async (message, outcome) => {
    const verdict = judgeAttempt(message, outcome);
    const { failed, state } = verdict;
    if (!(await queue.confirm(channel, message, outcome, verdict))) return false;
    if (state === 'cancelled' || state === 'expired') return true;
    observe(failed ? 'failed' : 'delivered');
    const { id: messageId, recipientId, failures } = message;
    if (!failed) {
      if (loggedFaults.delete(recipientId))
        log.info({ channel: channel.name, recipientId, failures }, 'messages are delivered again');
      return true;
    }
    const { status, error: problem } = outcome;
    if (outcome.result === 'later' && outcome.isFaultOfRecipient) {
      if (loggedFaults.get(recipientId) === problem) return true;
      loggedFaults.set(recipientId, problem);
    }
    log.warn(
      { channel: channel.name, recipientId, messageId, status, problem, state },
      state === 'uncertain'
        ? 'it is not known whether a message was delivered'
        : 'a message was not delivered',
    );
    return true;
  };
}
