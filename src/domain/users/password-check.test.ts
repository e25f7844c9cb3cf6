// Tests concurrent password checks: one check at a time, a rest after each check, and a flood of checks does not block
// other clients.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { setImmediate as otherWork } from 'node:timers/promises';
import { makePasswordCheck } from './password-check.ts';

const CROWD = '192.0.2.1';
const CHECK_MS = 400;
const REST_MS = 1_600;

let nowMs = 0;
beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  mock.method(performance, 'now', () => nowMs);
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

function pass(ms: number): Promise<void> {
  nowMs += ms;
  mock.timers.tick(ms);
  return otherWork();
}

/** A password check that ends when the test ends it. */
function setUp() {
  const stopping = new AbortController();
  const begun: string[] = [];
  const answers: string[] = [];
  let finish = () => {};
  const checkPassword = makePasswordCheck({
    stopping: stopping.signal,
    compare: (password) => {
      begun.push(password);
      return new Promise((resolve) => {
        finish = () => resolve(false);
      });
    },
  });
  function come(name: string, ip: string): void {
    checkPassword(name, 'stored', ip).then((answer) => answers.push(`${name}: ${answer}`));
  }
  return {
    begun,
    answers,
    stop: () => stopping.abort(),
    come,
    crowd(many: number) {
      for (let i = 0; i < many; i++) come(`crowd ${i}`, CROWD);
    },
    async finishOne() {
      await pass(CHECK_MS);
      finish();
      await otherWork();
    },
  };
}

test('one password is checked at a time, followed by a rest four times as long as the check', async () => {
  const { begun, crowd, finishOne } = setUp();
  crowd(5);
  await otherWork();
  assert.equal(begun.length, 1);
  await finishOne();
  await pass(REST_MS - 1);
  assert.equal(begun.length, 1, 'the rest is not over');
  await pass(1);
  assert.equal(begun.length, 2);
});

test('a check that arrives during the rest waits, so that hashing uses at most a fifth of a processor', async () => {
  const { begun, come, finishOne } = setUp();
  come('first', CROWD);
  await otherWork();
  await finishOne();
  come('second', CROWD);
  await pass(REST_MS - 1);
  assert.deepEqual(begun, ['first']);
  await pass(1);
  assert.deepEqual(begun, ['first', 'second']);
});

test('a client is next, however many checks of another IP address wait', async () => {
  const desk = setUp();
  desk.crowd(30);
  desk.come('Ada', '192.0.2.2');
  desk.come('crowd again', CROWD);
  await desk.finishOne();
  await pass(REST_MS);
  assert.deepEqual(desk.begun, ['crowd 0', 'Ada']);
});

test('the newest client is next, however many IP addresses wait', async () => {
  const desk = setUp();
  for (let i = 0; i < 30; i++) desk.come(`crowd ${i}`, `10.0.0.${i}`);
  desk.come('Ada', '192.0.2.2');
  await desk.finishOne();
  await pass(REST_MS);
  assert.deepEqual(desk.begun, ['crowd 0', 'Ada']);
});

test('at most fifty checks wait; beyond that, checks of the busiest IP address are refused at once', async () => {
  const desk = setUp();
  desk.crowd(60);
  desk.come('Ada', '192.0.2.2');
  await otherWork();
  assert.equal(desk.answers.length, 10);
  assert.ok(desk.answers.every((answer) => /^crowd \d+: busy$/.test(answer)));
});

test('no check waits for longer than ten seconds', async () => {
  const desk = setUp();
  desk.crowd(2);
  await pass(9_700);
  await desk.finishOne();
  await pass(REST_MS);
  assert.deepEqual(desk.answers, ['crowd 0: false', 'crowd 1: busy']);
  desk.come('Ada', '192.0.2.2');
  await otherWork();
  assert.deepEqual(desk.begun, ['crowd 0', 'Ada']);
});

test('when the service stops, waiting and new checks are refused at once', async () => {
  const desk = setUp();
  desk.crowd(3);
  desk.stop();
  desk.come('Ada', '192.0.2.2');
  await otherWork();
  assert.deepEqual(desk.answers.sort(), ['Ada: busy', 'crowd 1: busy', 'crowd 2: busy']);
});
