// The queue of messages in memory, for tests that need no database. It keeps the same contract as the stored queue.

import { asMessageId } from '../../src/kernel/ids.ts';
import type {
  Attempt,
  ChannelRules,
  Message,
  MessageQueue,
  MessageState,
  NewMessage,
} from '../../src/kernel/messages/message.ts';

interface Row extends Omit<Message, 'state' | 'failures' | 'sealedPayload'> {
  sealedPayload?: unknown;
  channel: string;
  state: MessageState;
  dueAtMs: number;
  finishedAtMs: number | null;
  log: Attempt[];
}

interface Recipient {
  failures: number;
  dueAtMs: number;
}

export function makeMemoryQueue() {
  const rows: Row[] = [];
  const recipients = new Map<string, Recipient>();
  const recipientOf = (channel: string, id: number): Recipient =>
    recipients.get(`${channel} ${id}`) ?? { failures: 0, dueAtMs: 0 };

  const queued = (channel: ChannelRules) =>
    rows.filter(
      (row) =>
        row.channel === channel.name &&
        channel.kinds.includes(row.kind) &&
        (row.state === 'waiting' || row.state === 'sending'),
    );
  const toMessage = ({ channel, state, sealedPayload, ...row }: Row): Message => ({
    ...structuredClone(row),
    sealedPayload: structuredClone(sealedPayload),
    state: state === 'sending' ? 'sending' : 'waiting',
    failures: recipientOf(channel, row.recipientId).failures,
  });
  const isUntouched = (row: Row) => row.state === 'waiting' && row.attempts === 0 && row.mergedInto === null;

  function nextRow(channel: ChannelRules, recipientId: number): Row | undefined {
    const nowMs = Date.now();
    if (recipientOf(channel.name, recipientId).dueAtMs > nowMs) return undefined;
    const own = queued(channel).filter((row) => row.recipientId === recipientId);
    const next = channel.keepsSequence
      ? (own.find(({ state }) => state === 'sending') ?? own[0])
      : own.find(({ dueAtMs }) => dueAtMs <= nowMs);
    return next && next.dueAtMs <= nowMs ? next : undefined;
  }

  const queue: MessageQueue = {
    async listDue(channel) {
      const ids = new Set(queued(channel).map(({ recipientId }) => recipientId));
      return [...ids].filter((id) => nextRow(channel, id));
    },
    async next(channel, recipientId) {
      const row = nextRow(channel, recipientId);
      return row && toMessage(row);
    },
    async find(channel, id) {
      const row = queued(channel).find((one) => one.id === id);
      return row && toMessage(row);
    },
    async listBehind(channel, { id, recipientId }, limit) {
      return queued(channel)
        .filter((row) => row.recipientId === recipientId && row.id > id)
        .slice(0, limit)
        .filter(isUntouched)
        .map(toMessage);
    },
    async begin({ id, attempts }) {
      const row = rows.find((one) => one.id === id && one.state === 'waiting' && one.attempts === attempts);
      if (row) row.state = 'sending';
      return row !== undefined;
    },
    async handOut({ id, state, attempts }) {
      const row = rows.find((one) => one.id === id && one.state === state && one.attempts === attempts);
      if (!row) return undefined;
      row.state = 'sending';
      row.attempts += 1;
      return toMessage(row);
    },
    async giveBack({ id, attempts }) {
      const row = rows.find((one) => one.id === id && one.state === 'sending' && one.attempts === attempts);
      if (row) row.state = 'waiting';
    },
    async confirm(channel, message, made, verdict) {
      const row = queued(channel).find((one) => one.id === message.id && one.attempts === message.attempts);
      if (!row) return false;
      const nowMs = Date.now();
      if (verdict.isCounted) row.attempts += 1;
      row.state = verdict.state;
      row.log.push(made);
      if (verdict.state !== 'waiting') row.finishedAtMs = nowMs;
      row.dueAtMs = verdict.pauses === 'message' ? nowMs + verdict.pauseMs : 0;
      if (verdict.state === 'done' && 'merged' in message)
        for (const other of rows)
          if (message.merged.includes(other.id) && isUntouched(other))
            Object.assign(other, { state: 'merged', mergedInto: message.id, finishedAtMs: nowMs });
      if (verdict.pauses === 'recipient') {
        const { failures } = recipientOf(channel.name, message.recipientId);
        recipients.set(`${channel.name} ${message.recipientId}`, {
          failures: verdict.failed ? failures + 1 : 0,
          dueAtMs: nowMs + verdict.pauseMs,
        });
      }
      return true;
    },
    async confirmLate(channel, { id, recipientId }, made) {
      const row = rows.find(
        (one) =>
          one.channel === channel.name &&
          one.id === id &&
          one.recipientId === recipientId &&
          one.state === 'uncertain',
      );
      if (!row) return false;
      Object.assign(row, { state: 'done', finishedAtMs: Date.now() });
      row.log.push(made);
      return true;
    },
    async giveUpWaiting(channel, beforeMs) {
      for (const row of queued(channel))
        if (row.occurredAtMs < beforeMs) Object.assign(row, { state: 'failed', finishedAtMs: Date.now() });
    },
    async forgetFinished(beforeMs) {
      for (const row of [...rows])
        if (row.finishedAtMs !== null && row.finishedAtMs < beforeMs) rows.splice(rows.indexOf(row), 1);
    },
  };

  return {
    queue,
    async write(channel: ChannelRules, messages: NewMessage[]): Promise<void> {
      for (const message of messages)
        rows.push({
          ...message,
          channel: channel.name,
          id: asMessageId((rows.at(-1)?.id ?? 0) + 1),
          state: 'waiting',
          attempts: 0,
          dueAtMs: 0,
          finishedAtMs: null,
          mergedInto: null,
          voucherId: null,
          log: [],
        });
    },
    /** The states of all messages, oldest first. */
    states: async () => rows.map(({ eventId, state }) => [eventId, state]),
  };
}
