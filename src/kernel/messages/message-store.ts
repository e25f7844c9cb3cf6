// The queue of messages. Each method that writes is one transaction, except the deletion of old messages.

import type { Database } from '../../platform/database/database.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import type { MessageQueue } from './message.ts';
import {
  deleteFinishedMessages,
  giveUpOldMessages,
  insertAttempt,
  selectDueRecipients,
  selectMessagesBehind,
  selectNextMessage,
  selectQueuedMessage,
  updateAfterAttempt,
  updateToMerged,
  updateToSending,
} from './message-queries.ts';
import { updateFromUncertain, updateToGivenBack, updateToHandedOut } from './pulled-queries.ts';
import { plainRecipients, type Recipients } from './recipient-queries.ts';

/** Messages that are deleted per transaction. One statement could take too long for the messages of many months. */
const FORGOTTEN_AT_ONCE = 500;

/** @param ownRecipients by channel, for channels that store the pauses of their recipients in their own way */
export function makeMessageQueue(
  database: Database,
  seal: Seal,
  ownRecipients: Record<string, Recipients> = {},
): MessageQueue {
  const { read, write, now } = database;
  const recipientsOf = (channel: string) => ownRecipients[channel] ?? plainRecipients;
  const queueOf = (channel: Parameters<MessageQueue['listDue']>[0]) => ({
    seal,
    channel,
    recipients: recipientsOf(channel.name),
    now: now(),
  });

  /** If a message were lost in a power cut after it was sent, it would be made and sent a second time. */
  async function durable<Read>(reading: Promise<Read>): Promise<Read> {
    const found = await reading;
    await database.untilDurable?.();
    return found;
  }

  return {
    listDue: (channel) => selectDueRecipients(read, queueOf(channel)),
    next: (channel, recipientId) => durable(selectNextMessage(read, queueOf(channel), recipientId)),
    find: (channel, id) => selectQueuedMessage(read, queueOf(channel), id),
    listBehind: (channel, message, limit) =>
      durable(selectMessagesBehind(read, queueOf(channel), message, limit)),
    begin: (message) => write((transaction) => updateToSending(transaction, message)),
    handOut: (message) => write((transaction) => updateToHandedOut(transaction, message)),
    giveBack: (message) => write((transaction) => updateToGivenBack(transaction, message)),

    confirm: (channel, message, made, verdict) =>
      write(async (transaction) => {
        if (!(await updateAfterAttempt(transaction, message, verdict, now()))) return false;
        await insertAttempt(transaction, message.id, made, now());
        if (verdict.state === 'done' && 'merged' in message)
          await updateToMerged(transaction, message, now());
        if (verdict.pauses === 'recipient') {
          const { recipientId, failures } = message;
          const to = { channel: channel.name, recipientId, failures, now: now() };
          await recipientsOf(channel.name).noteAttempt(transaction, to, verdict);
        }
        return true;
      }, 'finishes'),

    confirmLate: (channel, message, made) =>
      write(async (transaction) => {
        if (!(await updateFromUncertain(transaction, channel, message, now()))) return false;
        await insertAttempt(transaction, message.id, made, now());
        return true;
      }, 'finishes'),

    giveUpWaiting: (channel, beforeMs) =>
      write((transaction) => giveUpOldMessages(transaction, channel, { beforeMs, now: now() })),
    async forgetFinished(beforeMs) {
      const slice = { beforeMs, limit: FORGOTTEN_AT_ONCE };
      for (let found = slice.limit; found === slice.limit; ) {
        found = await write((transaction) => deleteFinishedMessages(transaction, slice));
        await new Promise(setImmediate);
      }
    },
  };
}
