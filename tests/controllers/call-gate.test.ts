// The gate in front of a controller: how many at once, who waits, and who is told at once that it is away.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCallGate } from '../../src/controllers/upstream/call-gate.ts';
import type { ControllerFailure } from '../../src/domain/controller.ts';
import { fail, ok, type Result } from '../../src/domain/result.ts';
import { makeFakeClock } from '../support/fake-clock.ts';

const never = new AbortController().signal;
type Answer = Result<string, ControllerFailure>;

/** A call that ends when it is told to. */
function makeCalls() {
  const running: ((answer: Answer) => void)[] = [];
  const call = () => new Promise<Answer>((resolve) => running.push(resolve));
  return { running, call };
}

test('eight calls run at once, the next begins when one has ended', async () => {
  const gate = makeCallGate(makeFakeClock());
  const { running, call } = makeCalls();
  const all = Array.from({ length: 10 }, () => gate.run(call, never));
  assert.equal(running.length, 8);
  running[0]?.(ok('done'));
  await all[0];
  assert.equal(running.length, 9);
  for (const end of running) end(ok('done'));
  await new Promise(setImmediate);
  running[9]?.(ok('done'));
  assert.deepEqual(new Set((await Promise.all(all)).map(({ ok }) => ok)), new Set([true]));
});

test('a call whose time is over is not sent, and told so', async () => {
  const gate = makeCallGate(makeFakeClock());
  const answer = await gate.run(() => assert.fail('it was sent'), AbortSignal.abort());
  assert.ok(!answer.ok);
  assert.equal(answer.problem.kind, 'unreachable');
});

test('a call that waits too long leaves the queue without being sent', async () => {
  const gate = makeCallGate(makeFakeClock());
  const { running, call } = makeCalls();
  const busy = Array.from({ length: 8 }, () => gate.run(call, never));
  const hurry = new AbortController();
  const waiting = gate.run(() => assert.fail('it was sent'), hurry.signal);
  hurry.abort();
  const answer = await waiting;
  assert.ok(!answer.ok);
  assert.equal(answer.problem.kind, 'unreachable');
  for (const end of running) end(ok('done'));
  await Promise.all(busy);
  assert.ok((await gate.run(async () => ok('next'), never)).ok);
});

test('after five failures in a row nobody is sent for ten seconds, not even those who wait already', async () => {
  const clock = makeFakeClock();
  const gate = makeCallGate(clock);
  let sent = 0;
  const failing = async (): Promise<Answer> => {
    sent++;
    await new Promise(setImmediate);
    return fail({ kind: 'unreachable', text: 'away' });
  };
  const answers = await Promise.all(Array.from({ length: 100 }, () => gate.run(failing, never)));
  assert.ok(answers.every((answer) => !answer.ok && answer.problem.kind === 'unreachable'));
  assert.ok(sent <= 16, `${sent} were sent`);
  clock.advance(9_999);
  assert.ok(!(await gate.run(async () => ok('too early'), never)).ok);
  clock.advance(1);
  assert.ok((await gate.run(async () => ok('again'), never)).ok);
});

test('a refusal is an answer: it does not count as a failure', async () => {
  const gate = makeCallGate(makeFakeClock());
  for (let i = 0; i < 20; i++) await gate.run(async () => fail({ kind: 'refused', text: 'no' }), never);
  assert.ok((await gate.run(async () => ok('still there'), never)).ok);
});
