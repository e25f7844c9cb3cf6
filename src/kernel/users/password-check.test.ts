// Tests concurrent password checks: one check at a time, a rest after each check, and a flood of checks does not block
// other clients.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { setImmediate as otherWork } from 'node:timers/promises';
import { makePasswordCheck } from './password-check.ts';

const CROWD = '192.0.2.1';
const CHECK_MS = 400;
const REST_MS = 400;

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

/** A password check that ends when the test ends it. Passwords that begin with "right" are right. */
function setup() {
  const stopping = new AbortController();
  const begun: string[] = [];
  const responses: string[] = [];
  let finish = () => {};
  const checkPassword = makePasswordCheck({
    stopping: stopping.signal,
    compare: (password) => {
      begun.push(password);
      return new Promise((resolve) => {
        finish = () => resolve(password.startsWith('right'));
      });
    },
  });
  function come(name: string, ip: string, device?: string): void {
    const input = { password: name, stored: 'stored', ip, device };
    checkPassword(input).then((response) => responses.push(`${name}: ${response}`));
  }
  return {
    begun,
    answers: responses,
    stop: () => stopping.abort(),
    come,
    crowd(many: number, name = 'crowd') {
      for (let i = 0; i < many; i++) come(`${name} ${i}`, CROWD);
    },
    async finishOne() {
      await pass(CHECK_MS);
      finish();
      await otherWork();
    },
  };
}

test('one password is checked at a time, followed by a rest as long as the check', async () => {
  const { begun, crowd, finishOne } = setup();
  crowd(5);
  await otherWork();
  assert.equal(begun.length, 1);
  await finishOne();
  await pass(REST_MS - 1);
  assert.equal(begun.length, 1, 'the rest is not over');
  await pass(1);
  assert.equal(begun.length, 2);
});

test('a check that arrives during the rest waits, so that hashing uses at most half of a processor', async () => {
  const { begun, come, finishOne } = setup();
  come('first', CROWD);
  await otherWork();
  await finishOne();
  come('second', CROWD);
  await pass(REST_MS - 1);
  assert.deepEqual(begun, ['first']);
  await pass(1);
  assert.deepEqual(begun, ['first', 'second']);
});

test('after ten wrong passwords in a minute, hashing uses only a tenth of a processor', async () => {
  const { begun, come, finishOne } = setup();
  for (let i = 0; i < 12; i++) come(`wrong ${i}`, `10.0.0.${i}`);
  for (let i = 0; i < 10; i++) {
    await finishOne();
    await pass(REST_MS);
  }
  assert.equal(begun.length, 11);
  // Like the other checks, but on a machine without other load.
  nowMs -= CHECK_MS / 2;
  await finishOne();
  await pass(9 * (REST_MS / 2) - 1);
  assert.equal(begun.length, 11, 'the rest is not over');
  await pass(1);
  assert.equal(begun.length, 12);
});

test('on a slow machine, the rest during an attack is at most three seconds', async () => {
  const { begun, come, finishOne } = setup();
  for (let i = 0; i < 12; i++) come(`wrong ${i}`, `10.0.0.${i}`);
  for (let i = 0; i < 10; i++) {
    await finishOne();
    await pass(REST_MS);
  }
  nowMs += CHECK_MS;
  await finishOne();
  await pass(2_999);
  assert.equal(begun.length, 11, 'the rest is not over');
  await pass(1);
  assert.equal(begun.length, 12);
});

test('right passwords, and wrong passwords of known devices, are no attack', async () => {
  const { begun, come, finishOne } = setup();
  for (let i = 0; i < 12; i++) come('right', CROWD);
  for (let i = 0; i < 12; i++) come('wrong', CROWD, 'tablet');
  for (let i = 0; i < 23; i++) {
    await finishOne();
    await pass(REST_MS);
  }
  assert.equal(begun.length, 24);
});

test('an attack is over after a minute without wrong passwords', async () => {
  const { begun, come, finishOne } = setup();
  for (let i = 0; i < 10; i++) {
    come('wrong', CROWD);
    await otherWork();
    await finishOne();
    await pass(REST_MS);
  }
  await pass(60_000);
  come('wrong', CROWD);
  await otherWork();
  await finishOne();
  come('Ada', CROWD);
  await pass(REST_MS);
  assert.equal(begun.at(-1), 'Ada');
});

test('checks of one network start in the order of their arrival', async () => {
  const desk = setup();
  desk.crowd(4);
  for (let i = 0; i < 3; i++) {
    await desk.finishOne();
    await pass(REST_MS);
  }
  assert.deepEqual(desk.begun, ['crowd 0', 'crowd 1', 'crowd 2', 'crowd 3']);
});

test('networks take turns: a client is second, however many checks of another network wait', async () => {
  const desk = setup();
  desk.crowd(30);
  desk.come('Ada', '192.0.2.2');
  for (let i = 0; i < 2; i++) {
    await desk.finishOne();
    await pass(REST_MS);
  }
  assert.deepEqual(desk.begun, ['crowd 0', 'crowd 1', 'Ada']);
});

test('a network without a wrong password is next, however many networks with one wait', async () => {
  const desk = setup();
  for (let i = 0; i < 5; i++) {
    desk.come(`first ${i}`, `10.0.0.${i}`);
    await otherWork();
    await desk.finishOne();
    await pass(REST_MS);
  }
  for (let i = 0; i < 5; i++) desk.come(`second ${i}`, `10.0.0.${i}`);
  desk.come('Ada', '192.0.2.2');
  await desk.finishOne();
  await pass(REST_MS);
  assert.deepEqual(desk.begun.slice(5), ['second 0', 'Ada']);
});

test('a known device is next, however many networks wait', async () => {
  const desk = setup();
  for (let i = 0; i < 100; i++) desk.come(`crowd ${i}`, `10.0.0.${i}`);
  desk.come('Ada', '10.0.0.1', 'tablet');
  await desk.finishOne();
  await pass(REST_MS);
  assert.deepEqual(desk.begun, ['crowd 0', 'Ada']);
});

test('unknown devices get every fourth turn, however many known devices wait', async () => {
  const desk = setup();
  for (let i = 0; i < 20; i++) desk.come(`known ${i}`, CROWD, `device ${i}`);
  desk.come('Ada', '192.0.2.2');
  for (let i = 0; i < 4; i++) {
    await desk.finishOne();
    await pass(REST_MS);
  }
  assert.deepEqual(desk.begun, ['known 0', 'known 1', 'known 2', 'known 3', 'Ada']);
});

test('known devices take turns: a stolen cookie does not block the other devices', async () => {
  const desk = setup();
  for (let i = 0; i < 30; i++) desk.come(`thief ${i}`, CROWD, 'stolen');
  desk.come('Ada', CROWD, 'tablet');
  for (let i = 0; i < 2; i++) {
    await desk.finishOne();
    await pass(REST_MS);
  }
  assert.deepEqual(desk.begun, ['thief 0', 'thief 1', 'Ada']);
});

test('fifty users behind one router all get their check', async () => {
  const desk = setup();
  desk.crowd(50, 'right');
  for (let i = 0; i < 50; i++) {
    await desk.finishOne();
    // Half as long as in the other tests, as on a machine without other load.
    nowMs -= CHECK_MS / 2;
    await pass(REST_MS / 2);
  }
  assert.equal(desk.answers.length, 50);
  assert.ok(desk.answers.every((response) => /: true$/.test(response)));
});

test('at most 200 checks wait; beyond that, checks of the busiest network are refused at once', async () => {
  const desk = setup();
  desk.crowd(210);
  desk.come('Ada', '192.0.2.2');
  await otherWork();
  assert.equal(desk.answers.length, 10);
  assert.ok(desk.answers.every((response) => /^crowd \d+: busy$/.test(response)));
});

test('checks of networks with a wrong password are refused first, and count in the same limit', async () => {
  const desk = setup();
  desk.come('wrong', CROWD);
  await otherWork();
  await desk.finishOne();
  desk.crowd(150, 'again');
  for (let i = 0; i < 60; i++) desk.come(`new ${i}`, `10.0.0.${i}`);
  await otherWork();
  assert.deepEqual(
    desk.answers.slice(1),
    Array.from({ length: 10 }, (_, i) => `again ${149 - i}: busy`),
  );
});

test('no check waits for longer than 45 seconds', async () => {
  const desk = setup();
  desk.crowd(2);
  await pass(44_700);
  await desk.finishOne();
  // The rest is as long as this check.
  await pass(46_000);
  assert.deepEqual(desk.answers, ['crowd 0: false', 'crowd 1: busy']);
  desk.come('Ada', '192.0.2.2');
  await otherWork();
  assert.deepEqual(desk.begun, ['crowd 0', 'Ada']);
});

test('when the service stops, waiting and new checks are refused at once', async () => {
  const desk = setup();
  desk.crowd(3);
  desk.stop();
  desk.come('Ada', '192.0.2.2');
  await otherWork();
  assert.deepEqual(desk.answers.sort(), ['Ada: busy', 'crowd 1: busy', 'crowd 2: busy']);
});
