// Tests the loop: the job runs at once and again after each pause, never twice at the same time, continues after a
// failure, and ends when the loop is stopped.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log/log.ts';
import { startLoop } from './loop.ts';

function makeSilentLog(): { log: Log; errors: Record<string, unknown>[] } {
  const errors: Record<string, unknown>[] = [];
  const ignore = () => {};
  const error = (fields: Record<string, unknown>) => void errors.push(fields);
  return { log: { debug: ignore, info: ignore, warn: ignore, error, isLevelEnabled: () => true }, errors };
}

/** Runs the job in a loop and stops the loop after the given number of turns. */
async function runTurns(turns: number, job: (turn: number) => Promise<number>) {
  const { log, errors } = makeSilentLog();
  const { promise, resolve } = Promise.withResolvers<void>();
  let turn = 0;
  const run = async () => {
    turn++;
    if (turn >= turns) resolve();
    return job(turn);
  };
  // The timers of the loop do not keep the process alive; this interval does.
  const alive = setInterval(() => {}, 1_000);
  const loop = startLoop({ name: 'test', run, log, pauseAfterFailureMs: 1 });
  await promise;
  await loop.stop();
  clearInterval(alive);
  return { turns: () => turn, errors };
}

test('the job runs at once and again after each pause', async () => {
  const { turns } = await runTurns(3, async () => 1);
  assert.equal(turns(), 3);
});

test('a failed job is logged by name and runs again', async () => {
  const { turns, errors } = await runTurns(3, async (turn) => {
    if (turn < 3) throw new Error(`turn ${turn}`);
    return 1;
  });
  assert.equal(turns(), 3);
  assert.deepEqual(
    errors.map(({ worker, err }) => [worker, String(err)]),
    [
      ['test', 'Error: turn 1'],
      ['test', 'Error: turn 2'],
    ],
  );
});

test('the job never runs twice at the same time', async () => {
  let running = 0;
  let most = 0;
  await runTurns(4, async () => {
    most = Math.max(most, ++running);
    await sleep(5);
    running--;
    return 0;
  });
  assert.equal(most, 1);
});

test('stopping waits for the current turn and begins no other', async () => {
  let ended = 0;
  const { turns } = await runTurns(2, async () => {
    await sleep(20);
    ended++;
    return 0;
  });
  assert.equal(ended, 2);
  await sleep(20);
  assert.equal(turns(), 2);
});

test('a job that hangs is aborted, and stopping waits for it to end', async () => {
  const { log, errors } = makeSilentLog();
  const { promise: begun, resolve: begin } = Promise.withResolvers<AbortSignal>();
  let ended = false;
  const run = async (signal: AbortSignal) => {
    begin(signal);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await sleep(5);
    ended = true;
    return 0;
  };
  const loop = startLoop({ name: 'test', run, log, pauseAfterFailureMs: 1 });
  const signal = await begun;
  assert.equal(signal.aborted, false);
  await loop.stop();
  assert.deepEqual([signal.aborted, ended, errors], [true, true, []]);
});

test('all turns share one signal, which stays open between them', async () => {
  const { log } = makeSilentLog();
  const { promise, resolve } = Promise.withResolvers<void>();
  const signals: AbortSignal[] = [];
  const aborted: boolean[] = [];
  const run = async (signal: AbortSignal) => {
    signals.push(signal);
    aborted.push(signal.aborted);
    if (signals.length === 3) resolve();
    if (signals.length === 2) throw new Error('this one fails');
    return 1;
  };
  const alive = setInterval(() => {}, 1_000);
  const loop = startLoop({ name: 'test', run, log, pauseAfterFailureMs: 1 });
  await promise;
  await loop.stop();
  clearInterval(alive);
  assert.deepEqual([aborted.slice(0, 3), new Set(signals).size], [[false, false, false], 1]);
});

test('the first pause applies only before the first turn', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let turns = 0;
  const run = async () => {
    turns++;
    return 10;
  };
  const { log } = makeSilentLog();
  startLoop({ name: 'test', run, log, pauseAfterFailureMs: 1, firstPauseMs: 1_000 });
  t.mock.timers.tick(999);
  assert.equal(turns, 0);
  t.mock.timers.tick(1);
  assert.equal(turns, 1);
  await nextTurn();
  t.mock.timers.tick(10);
  assert.equal(turns, 2);
});

test('a loop stopped during its first pause never runs its job', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let turns = 0;
  const run = async () => ++turns;
  const { log } = makeSilentLog();
  const loop = startLoop({ name: 'test', run, log, pauseAfterFailureMs: 1, firstPauseMs: 1_000 });
  await loop.stop();
  t.mock.timers.tick(10_000);
  assert.equal(turns, 0);
});

test('a loop that is woken begins a turn at once, or right after the one that runs', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let turns = 0;
  const ends: (() => void)[] = [];
  const run = async () => {
    turns++;
    await new Promise<void>((resolve) => ends.push(resolve));
    return 1_000;
  };
  const { log } = makeSilentLog();
  const loop = startLoop({ name: 'test', run, log, pauseAfterFailureMs: 1 });
  loop.wake();
  assert.equal(turns, 1, 'never two turns at the same time');
  ends[0]?.();
  await nextTurn();
  t.mock.timers.tick(0);
  assert.equal(turns, 2);
  ends[1]?.();
  await nextTurn();
  t.mock.timers.tick(999);
  assert.equal(turns, 2);
  loop.wake();
  assert.equal(turns, 3);
  ends[2]?.();
  await loop.stop();
  loop.wake();
  t.mock.timers.tick(10_000);
  assert.equal(turns, 3);
});
