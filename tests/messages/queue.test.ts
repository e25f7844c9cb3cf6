// The contract of the queue of messages, in memory and on every engine: order, pauses, attempts, and what is left to
// instances of a newer release.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type {
  Attempt,
  ChannelRules,
  Message,
  MessageQueue,
  NewMessage,
  Verdict,
} from '../../src/kernel/messages/message.ts';
import { toSealedColumns } from '../../src/kernel/messages/message-queries.ts';
import { makeMessageQueue } from '../../src/kernel/messages/message-store.ts';
import { onEveryEngine } from '../storage/engines.ts';
import { seal } from '../storage/samples.ts';
import { makeMemoryQueue } from './memory-queue.ts';

const ORDERED: ChannelRules = { name: 'ordered', kinds: ['slip', 'mail'], keepsSequence: true };
const FREE: ChannelRules = { ...ORDERED, name: 'free', keepsSequence: false };
const LONG_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;

const made: Attempt = { durationMs: 12, status: null, error: null, response: null };
const DONE: Verdict = {
  state: 'done',
  pauses: 'recipient',
  pauseMs: 0,
  failed: false,
  isCounted: true,
  offBecause: null,
};
const later = (pauses: Verdict['pauses'], pauseMs: number): Verdict => ({
  state: 'waiting',
  pauses,
  pauseMs,
  failed: true,
  isCounted: true,
  offBecause: null,
});

interface Opened {
  queue: MessageQueue;
  write(channel: ChannelRules, messages: NewMessage[]): Promise<void>;
  states(): Promise<(string | undefined)[][]>;
}

function keepsTheContract(open: () => Promise<Opened>): void {
  let opened: Opened;
  beforeEach(async () => {
    opened = await open();
  });

  const write = (channel: ChannelRules, recipientId: number, ...events: string[]) =>
    opened.write(
      channel,
      events.map((eventId) => ({
        recipientId,
        eventId,
        kind: 'slip',
        payload: { name: `Zimmer ${eventId} "ä"` },
        occurredAtMs: 5,
      })),
    );
  const next = (channel: ChannelRules, recipientId = 1) => opened.queue.next(channel, recipientId);
  const nextEvent = async (channel: ChannelRules, recipientId = 1) =>
    (await next(channel, recipientId))?.eventId;
  async function attempt(channel: ChannelRules, verdict: Verdict, recipientId = 1): Promise<Message> {
    const message = await next(channel, recipientId);
    assert.ok(message, 'no message is due');
    assert.equal(await opened.queue.confirm(channel, message, made, verdict), true);
    return message;
  }

  test('the next message is the oldest one with its payload, and asking again changes nothing', async () => {
    await write(ORDERED, 1, 'a', 'b');
    const first = await next(ORDERED);
    assert.partialDeepStrictEqual(first, {
      recipientId: 1,
      eventId: 'a',
      kind: 'slip',
      payload: { name: 'Zimmer a "ä"' },
      occurredAtMs: 5,
      state: 'waiting',
      attempts: 0,
      failures: 0,
      mergedInto: null,
      voucherId: null,
    });
    assert.deepEqual(await next(ORDERED), first);
    assert.deepEqual(first && (await opened.queue.find(ORDERED, first.id)), first);
  });

  test('sealed facts come with their message, and each message gets its own', async () => {
    const message = { recipientId: 1, kind: 'slip', payload: {}, occurredAtMs: 5 };
    const sealed = ['a', 'b'].map((eventId) => ({ ...message, eventId, sealedPayload: { to: eventId } }));
    await opened.write(FREE, sealed);
    for (const to of ['a', 'b']) {
      assert.deepEqual((await next(FREE))?.sealedPayload, { to });
      await attempt(FREE, DONE);
    }
  });

  test('messages of another channel, recipient or release are left alone', async () => {
    await write(FREE, 1, 'other channel');
    await write(ORDERED, 2, 'other recipient');
    const future = { recipientId: 1, eventId: 'x', kind: 'hologram', payload: null, occurredAtMs: 1 };
    await opened.write(ORDERED, [future]);
    assert.equal(await next(ORDERED), undefined);
    assert.deepEqual(await opened.queue.listDue(ORDERED), [2]);
    await opened.queue.giveUpWaiting(ORDERED, Date.now() + DAY_MS);
    assert.deepEqual(await opened.states(), [
      ['other channel', 'waiting'],
      ['other recipient', 'failed'],
      ['x', 'waiting'],
    ]);
  });

  test('a failure of the recipient pauses all its messages, and no other recipient', async () => {
    for (const channel of [ORDERED, FREE]) {
      await write(channel, 1, 'a', 'b');
      await write(channel, 2, 'c');
      await attempt(channel, later('recipient', LONG_MS));
      assert.deepEqual([await nextEvent(channel), await nextEvent(channel, 2)], [undefined, 'c']);
      assert.deepEqual(await opened.queue.listDue(channel), [2]);
    }
  });

  test('a message that has to wait alone holds up the others only where the order is kept', async () => {
    for (const [channel, second] of [
      [ORDERED, undefined],
      [FREE, 'b'],
    ] as const) {
      await write(channel, 1, 'a', 'b');
      await attempt(channel, later('message', LONG_MS));
      assert.equal(await nextEvent(channel), second, channel.name);
    }
    assert.deepEqual(await opened.queue.listDue(FREE), [1]);
    await attempt(FREE, DONE);
    assert.deepEqual(await opened.queue.listDue(FREE), []);
  });

  test('attempts are counted per message and failures per recipient, until a message is done', async () => {
    await write(ORDERED, 1, 'a', 'b', 'c');
    await attempt(ORDERED, later('recipient', 0));
    await attempt(ORDERED, later('message', 0));
    assert.partialDeepStrictEqual(await next(ORDERED), { eventId: 'a', attempts: 2, failures: 1 });
    await attempt(ORDERED, { ...later('recipient', 0), state: 'failed' });
    assert.partialDeepStrictEqual(await next(ORDERED), { eventId: 'b', attempts: 0, failures: 2 });
    await attempt(ORDERED, DONE);
    assert.partialDeepStrictEqual(await next(ORDERED), { eventId: 'c', attempts: 0, failures: 0 });
  });

  test('an attempt that does not count costs the message nothing, but is a failure of the recipient', async () => {
    await write(FREE, 1, 'a');
    for (let failures = 0; failures < 12; failures++) {
      assert.partialDeepStrictEqual(await next(FREE), { attempts: 0, failures });
      await attempt(FREE, { ...later('recipient', 0), isCounted: false });
    }
    await attempt(FREE, DONE);
    assert.deepEqual(await opened.states(), [['a', 'done']]);
  });

  test('a cancelled message is finished, and changes nothing for its recipient', async () => {
    await write(FREE, 1, 'a', 'b');
    await attempt(FREE, later('recipient', 0));
    await attempt(FREE, { ...DONE, state: 'cancelled', pauses: 'message', isCounted: false });
    assert.partialDeepStrictEqual(await next(FREE), { eventId: 'b', failures: 1 });
    await opened.queue.forgetFinished(Date.now() + DAY_MS);
    assert.deepEqual(await opened.states(), [['b', 'waiting']]);
  });

  test('a message is begun once, and stays begun until its outcome is known', async () => {
    await write(ORDERED, 1, 'a', 'b');
    const message = await next(ORDERED);
    assert.ok(message);
    assert.equal(await opened.queue.begin({ ...message, attempts: 1 }), false, 'continued elsewhere');
    assert.deepEqual([await opened.queue.begin(message), await opened.queue.begin(message)], [true, false]);
    assert.partialDeepStrictEqual(await next(ORDERED), { eventId: 'a', state: 'sending' });
    assert.deepEqual(await opened.queue.listDue(ORDERED), [1]);
    await attempt(ORDERED, { ...later('recipient', 0), state: 'uncertain' });
    assert.equal(await nextEvent(ORDERED), 'b');
    assert.equal(await opened.queue.begin(message), false);
  });

  test('a message is handed out once for each reading, and given back only by the last one that has it', async () => {
    await write(ORDERED, 1, 'a');
    const { queue } = opened;
    const message = await next(ORDERED);
    assert.ok(message);
    const [first, rival] = [await queue.handOut(message), await queue.handOut(message)];
    assert.partialDeepStrictEqual(
      [first, rival],
      [{ eventId: 'a', state: 'sending', attempts: 1 }, undefined],
    );
    assert.deepEqual(await next(ORDERED), first);
    const again = first && (await queue.handOut(first));
    assert.ok(first && again);
    await queue.giveBack(first);
    assert.partialDeepStrictEqual(await next(ORDERED), { state: 'sending', attempts: 2 });
    assert.equal(await queue.confirm(ORDERED, first, made, DONE), false);
    await queue.giveBack(again);
    assert.partialDeepStrictEqual(await next(ORDERED), { state: 'waiting', attempts: 2 });
    await attempt(ORDERED, DONE);
    await queue.giveBack(again);
    assert.deepEqual([await queue.handOut(again), await opened.states()], [undefined, [['a', 'done']]]);
  });

  test('the result of a slow instance is ignored if another one has continued the message', async () => {
    await write(ORDERED, 1, 'a', 'b');
    const slow = await attempt(ORDERED, later('recipient', 0));
    assert.equal(await opened.queue.confirm(ORDERED, slow, made, DONE), false);
    assert.partialDeepStrictEqual(await next(ORDERED), { eventId: 'a', attempts: 1 });
    await attempt(ORDERED, DONE);
    assert.equal(await opened.queue.confirm(ORDERED, { ...slow, attempts: 2 }, made, DONE), false);
    assert.equal(slow && (await opened.queue.find(ORDERED, slow.id)), undefined);
  });

  test('messages that were sent with another one are finished with it', async () => {
    await write(ORDERED, 1, 'a', 'b', 'c', 'd');
    await write(ORDERED, 2, 'other');
    const first = await next(ORDERED);
    assert.ok(first);
    const behind = await opened.queue.listBehind(ORDERED, first, 2);
    assert.deepEqual(
      behind.map(({ eventId }) => eventId),
      ['b', 'c'],
    );
    const joined = { ...first, merged: behind.map(({ id }) => id) };
    await opened.queue.confirm(ORDERED, joined, made, later('recipient', 0));
    assert.equal((await opened.queue.listBehind(ORDERED, first, 9)).length, 3, 'a failure merges nothing');
    await opened.queue.confirm(ORDERED, { ...joined, attempts: 1 }, made, DONE);
    assert.deepEqual(await opened.states(), [
      ['a', 'done'],
      ['b', 'merged'],
      ['c', 'merged'],
      ['d', 'waiting'],
      ['other', 'waiting'],
    ]);
  });

  test('finished messages are deleted when they are old, and waiting ones never', async () => {
    await write(ORDERED, 1, 'a', 'b');
    await attempt(ORDERED, DONE);
    await opened.queue.forgetFinished(Date.now() - DAY_MS);
    assert.equal((await opened.states()).length, 2);
    await opened.queue.forgetFinished(Date.now() + DAY_MS);
    assert.deepEqual(await opened.states(), [['b', 'waiting']]);
  });
}

describe('the queue of messages in memory', () => keepsTheContract(async () => makeMemoryQueue()));

onEveryEngine('the queue of messages', (database) =>
  keepsTheContract(async () => {
    await database().write(async (transaction) => {
      for (const table of ['messages', 'message_recipients'] as const)
        await transaction.deleteFrom(table).execute();
    });
    return {
      queue: makeMessageQueue(database(), seal),
      write: (channel, messages) =>
        database().write(async (transaction) => {
          for (const message of messages) {
            const columns = await toSealedColumns(transaction, seal, { ...message, channel: channel.name });
            await transaction
              .insertInto('messages')
              .values({ ...columns, state: 'waiting' })
              .execute();
          }
        }),
      async states() {
        const rows = await database().read.selectFrom('messages').selectAll().orderBy('id').execute();
        return rows.map(({ event_id, state }) => [event_id, state]);
      },
    };
  }),
);
