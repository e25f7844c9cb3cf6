// Tests how messages are sent while the process is killed at random: none is lost, the order is kept, and a channel
// that must not repeat never sends a message twice. Also tests messages that recipients ask for.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { Channel } from '../../src/kernel/messages/channel.ts';
import { makeJudgeAttempt } from '../../src/kernel/messages/judge-attempt.ts';
import type { Attempt, AttemptOutcome, Message, MessageQueue } from '../../src/kernel/messages/message.ts';
import { makePulledMessages, type PulledMessages } from '../../src/kernel/messages/pull-messages.ts';
import { makeSendTo } from '../../src/kernel/messages/send-messages.ts';
import type { WithLease } from '../../src/platform/leases/leases.ts';
import { unobserved } from '../support/unobserved.ts';
import { makeMemoryQueue } from './memory-queue.ts';

const MESSAGES = 40;
const SEEDS = 50;

const made: Attempt = { durationMs: 1, status: null, error: null, response: null };
const DONE: AttemptOutcome = { ...made, result: 'done' };
const LATER = { ...made, result: 'later', pauses: 'recipient', retryAfterMs: null } as const;
const judgeAttempt = makeJudgeAttempt({ random: () => 0.5, pace: 0 });

class Killed extends Error {}

/** Numbers between 0 and 1 that are the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const SERVER_DOWN: AttemptOutcome = { ...LATER, isFaultOfRecipient: true };

interface Setting {
  mayRepeat: boolean;
  random: () => number;
  keepsSequence?: boolean;
  /** The outcome of an attempt that is not interrupted. */
  answer?(message: Message): AttemptOutcome;
}

/** Sends all messages through a process that is killed again and again, and returns what arrived. */
async function sendThroughKills({ mayRepeat, random, keepsSequence = true, answer }: Setting) {
  const { queue, write, states } = makeMemoryQueue();
  const arrived: string[] = [];
  let isDead = false;
  /** A killed process does nothing any more; the next one continues. */
  const mayDie = <Value>(act: () => Promise<Value>): Promise<Value> => {
    if (isDead || random() < 0.1) {
      isDead = true;
      return Promise.reject(new Killed());
    }
    return act();
  };
  const channel: Channel = {
    name: 'test',
    kinds: ['slip'],
    keepsSequence,
    mayRepeat,
    prepare: async (message) => ({ ...message, merged: [] }),
    send: (message, _signal, begin) =>
      mayDie(async () => {
        const outcome = answer?.(message) ?? (random() < 0.2 ? LATER : DONE);
        // The recipient cannot be reached, so nothing has begun.
        if (outcome.result === 'later') return outcome;
        if (!(await begin())) return outcome;
        if (outcome.result === 'done') arrived.push(message.eventId);
        return outcome;
      }),
  };
  const dying: Pick<MessageQueue, 'next' | 'listBehind' | 'begin' | 'confirm'> = {
    next: (...args) => mayDie(() => queue.next(...args)),
    listBehind: queue.listBehind,
    begin: (...args) => mayDie(() => queue.begin(...args)),
    confirm: (...args) => mayDie(() => queue.confirm(...args)),
  };
  await write(
    channel,
    Array.from({ length: MESSAGES }, (_, number) => ({
      recipientId: 1,
      eventId: String(number),
      kind: 'slip',
      payload: {},
      occurredAtMs: 1,
    })),
  );
  const sendTo = makeSendTo({
    channel,
    queue: dying,
    judgeAttempt,
    withLease: async (_name, signal, job) => job(signal),
    observe: () => {},
    pace: 1,
    ...unobserved,
  });
  while ((await queue.listDue(channel)).length > 0) {
    isDead = false;
    await sendTo(1, new AbortController().signal).catch((error) => {
      if (!(error instanceof Killed)) throw error;
    });
  }
  return { arrived, states: await states() };
}

const inOrder = Array.from({ length: MESSAGES }, (_, number) => String(number));

test('through kills at random, every message arrives in order, and a repeated one before the next', async () => {
  for (let seed = 0; seed < SEEDS; seed++) {
    const { arrived, states } = await sendThroughKills({ mayRepeat: true, random: randomFrom(seed) });
    const given = states.filter(([, state]) => state !== 'done').map(([event]) => event);
    const once = arrived.filter((event, index) => event !== arrived[index - 1]);
    assert.deepEqual(
      once,
      inOrder.filter((event) => once.includes(event)),
      `seed ${seed}`,
    );
    assert.deepEqual(
      given.filter((event) => !arrived.includes(String(event))),
      given,
      `seed ${seed}`,
    );
    assert.equal(new Set([...arrived, ...given]).size, MESSAGES, `seed ${seed}`);
  }
});

test('a channel that must not repeat sends each message at most once, and says which it does not know', async () => {
  let uncertain = 0;
  for (let seed = 0; seed < SEEDS; seed++) {
    const { arrived, states } = await sendThroughKills({ mayRepeat: false, random: randomFrom(seed) });
    assert.equal(new Set(arrived).size, arrived.length, `seed ${seed}`);
    for (const [event, state] of states) {
      if (state === 'done') assert.ok(arrived.includes(String(event)), `seed ${seed}`);
      else if (state === 'failed') assert.ok(!arrived.includes(String(event)), `seed ${seed}`);
      else assert.equal(state, 'uncertain', `seed ${seed}`);
      if (state === 'uncertain') uncertain++;
    }
  }
  assert.ok(uncertain > SEEDS, 'attempts were interrupted');
});

function chooseOutcome(random: number): AttemptOutcome {
  if (random < 0.2) return { ...made, result: 'cancelled' };
  return random < 0.4 ? { ...LATER, pauses: 'message' } : DONE;
}

test('through kills at random, a mail waits for its server, and ends as sent, given up or cancelled', async () => {
  const ends: Record<string, number> = {};
  for (let seed = 0; seed < SEEDS; seed++) {
    const random = randomFrom(seed);
    const outcomeOf = new Map(inOrder.map((event) => [event, chooseOutcome(random())]));
    const { arrived, states } = await sendThroughKills({
      mayRepeat: true,
      keepsSequence: false,
      random,
      answer: ({ eventId }) =>
        random() < 0.7 ? SERVER_DOWN : (outcomeOf.get(eventId) ?? assert.fail(eventId)),
    });
    for (const [event = '', state = ''] of states) {
      const result = outcomeOf.get(event)?.result;
      assert.equal(state, result === 'later' ? 'failed' : result, `seed ${seed}, message ${event}`);
      assert.equal(arrived.includes(event), state === 'done', `seed ${seed}, message ${event}`);
      ends[state] = (ends[state] ?? 0) + 1;
    }
  }
  assert.deepEqual(Object.keys(ends).toSorted(), ['cancelled', 'done', 'failed']);
});

interface Pulling {
  pulled: PulledMessages;
  states(): Promise<(string | undefined)[][]>;
}

async function startPulling(...events: string[]): Promise<Pulling> {
  const { queue, write, states } = makeMemoryQueue();
  const channel = { name: 'printer', kinds: ['slip'], keepsSequence: true };
  const slip = (eventId: string) => ({ recipientId: 1, eventId, kind: 'slip', payload: {}, occurredAtMs: 1 });
  await write(channel, events.map(slip));
  const observe = () => {};
  return { pulled: makePulledMessages({ channel, queue, judgeAttempt, ...unobserved, observe }), states };
}

const read = async (message: Promise<Message | undefined>) => (await message) ?? assert.fail('no message');

test('a recipient that asks gets the same message until it confirms it, and confirms it once', async () => {
  const { pulled, states } = await startPulling('a', 'b');
  const message = await read(pulled.poll(1));
  assert.deepEqual(await pulled.poll(1), message, 'a message that was not handed out is offered again');
  assert.ok(await pulled.handOut(message));
  assert.ok(await pulled.handOut(await read(pulled.find(1, message.id))), 'handed out again');
  assert.deepEqual(
    [await pulled.confirm(1, message.id, DONE), await pulled.confirm(1, message.id, DONE)],
    [true, false],
  );
  assert.equal((await read(pulled.poll(1))).eventId, 'b');
  assert.equal(await pulled.find(1, message.id), undefined);
  assert.deepEqual(await states(), [
    ['a', 'done'],
    ['b', 'waiting'],
  ]);
});

test('a message that was handed out and not confirmed is not offered again', async () => {
  const { pulled, states } = await startPulling('a', 'b');
  await pulled.handOut(await read(pulled.poll(1)));
  const [first, second] = await Promise.all([pulled.poll(1), pulled.poll(1)]);
  assert.deepEqual([first?.eventId, second?.eventId], ['b', 'b']);
  assert.deepEqual(await states(), [
    ['a', 'uncertain'],
    ['b', 'waiting'],
  ]);
});

test('a message that did not get out is offered again, unless it was handed out a second time', async () => {
  const { pulled, states } = await startPulling('a', 'b');
  const broken = await pulled.handOut(await read(pulled.poll(1)));
  await broken?.giveBack();
  const message = await read(pulled.poll(1));
  assert.equal(message.eventId, 'a');
  const stalled = await pulled.handOut(message);
  const repeated = await pulled.handOut(await read(pulled.find(1)));
  await stalled?.giveBack();
  await repeated?.giveBack();
  assert.equal((await read(pulled.poll(1))).eventId, 'b');
  assert.deepEqual((await states())[0], ['a', 'uncertain']);
});

test('a recipient that gives up a stalled message does not get it again after the next one', async () => {
  const { pulled, states } = await startPulling('a');
  const stalled = await pulled.handOut(await read(pulled.poll(1)));
  assert.ok(await pulled.confirm(1, undefined, SERVER_DOWN));
  assert.ok(await pulled.handOut(await read(pulled.poll(1))));
  await stalled?.giveBack();
  assert.equal(await pulled.poll(1), undefined);
  assert.deepEqual(await states(), [['a', 'uncertain']]);
});

test('a service that stops waits only a while for a recipient that does not answer', async () => {
  const { queue, write, states } = makeMemoryQueue();
  const stopping = new AbortController();
  const channel: Channel = {
    name: 'test',
    kinds: ['slip'],
    keepsSequence: false,
    mayRepeat: true,
    prepare: async (message) => ({ ...message, merged: [] }),
    async send(_message, signal) {
      stopping.abort();
      await once(signal, 'abort');
      return LATER;
    },
  };
  await write(channel, [{ recipientId: 1, eventId: 'a', kind: 'slip', payload: {}, occurredAtMs: 1 }]);
  const withLease: WithLease = async (_name, signal, job) => job(signal);
  const observe = () => assert.fail('an aborted attempt is no failure of the recipient');
  const sendTo = makeSendTo({ channel, queue, judgeAttempt, withLease, pace: 0.001, ...unobserved, observe });
  await sendTo(1, stopping.signal);
  assert.deepEqual(await states(), [['a', 'waiting']]);
});

const SLIP = { recipientId: 1, eventId: 'a', kind: 'slip', payload: {}, occurredAtMs: 1 };

/** Sends one slip through a channel that must not repeat, and returns what `send` saw and what was stored. */
async function sendOnce(send: (stop: () => void) => Channel['send']) {
  const { queue, write, states } = makeMemoryQueue();
  const stopping = new AbortController();
  const observed: string[] = [];
  const channel: Channel = {
    name: 'test',
    kinds: ['slip'],
    keepsSequence: true,
    mayRepeat: false,
    prepare: async (message) => ({ ...message, merged: [] }),
    send: send(() => stopping.abort()),
  };
  await write(channel, [SLIP]);
  const withLease: WithLease = async (_name, signal, job) => job(signal);
  const observe = (outcome: string) => observed.push(outcome);
  const sendTo = makeSendTo({ channel, queue, judgeAttempt, withLease, pace: 0.001, ...unobserved, observe });
  await sendTo(1, stopping.signal);
  return { observed, states: await states() };
}

test('a service that stops ends an attempt that has not begun, which is repeated later', async () => {
  const { observed, states } = await sendOnce((stop) => async (_message, signal, begin) => {
    stop();
    assert.ok(signal.aborted);
    assert.equal(await begin(), false);
    return LATER;
  });
  assert.deepEqual([observed, states], [[], [['a', 'waiting']]]);
});

test('a service that stops lets an attempt end that has begun', async () => {
  const { observed, states } = await sendOnce((stop) => async (_message, signal, begin) => {
    assert.equal(await begin(), true);
    stop();
    assert.equal(signal.aborted, false);
    return DONE;
  });
  assert.deepEqual([observed, states], [['delivered'], [['a', 'done']]]);
});

test('a service that stops waits only a while for an attempt that has begun, whose outcome is unknown', async () => {
  const { observed, states } = await sendOnce((stop) => async (_message, signal, begin) => {
    assert.equal(await begin(), true);
    stop();
    await once(signal, 'abort');
    return DONE;
  });
  assert.deepEqual([observed, states], [[], [['a', 'sending']]]);
});

test('a message that another instance has begun meanwhile is left to it', async () => {
  let attempts = 0;
  const { observed, states } = await sendOnce((stop) => async (message, _signal, begin) => {
    attempts++;
    // The same message, begun twice: the second time stands for the other instance.
    assert.deepEqual([await begin(), await begin()], [true, false], message.eventId);
    stop();
    return DONE;
  });
  assert.equal(attempts, 1);
  assert.deepEqual([observed, states], [[], [['a', 'sending']]]);
});
