// Messages of a channel whose recipients ask for them, such as printers that poll the service.

import type { MessageId } from '../ids.ts';
import type { JudgeAttempt } from './judge-attempt.ts';
import type { AttemptOutcome, ChannelRules, Message, MessageQueue } from './message.ts';

export interface PulledMessages {
  /** Returns the same message until its outcome is confirmed. */
  next(recipientId: number): Promise<Message | undefined>;
  /** Returns false and changes nothing if the message no longer waits, for example because it was confirmed before. */
  confirm(id: MessageId, outcome: AttemptOutcome): Promise<boolean>;
}

interface Deps {
  channel: ChannelRules;
  queue: Pick<MessageQueue, 'next' | 'find' | 'confirm'>;
  judgeAttempt: JudgeAttempt;
}

export function makePulledMessages({ channel, queue, judgeAttempt }: Deps): PulledMessages {
  return {
    next: (recipientId) => queue.next(channel, recipientId),
    async confirm(id, outcome) {
      const message = await queue.find(channel, id);
      if (!message) return false;
      return queue.confirm(channel, message, outcome, judgeAttempt(message, outcome));
    },
  };
}
