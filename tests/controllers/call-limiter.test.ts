// Tests calls to one controller: how many run at the same time, their priority, which orders are refused before they
// are sent, and that no call waits for an unreachable controller.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallPriority, ControllerFailure } from '../../src/kernel/controllers/controller.ts';
import { type CallLimiter, makeCallLimiter } from '../../src/kernel/controllers/upstream/call-limiter.ts';
import { fail, ok, type Result } from '../../src/platform/values/result.ts';
import { makeFakeClock } from '../support/fake-clock.ts';

const never = new AbortController().signal;
type CallResponse = Result<string, ControllerFailure>;

/** Calls that end when the test ends them, in the order in which they began. */
function makeCalls(limiter: CallLimiter) {
  const running: { name: string; end: (response: CallResponse) => void }[] = [];
  const begun: string[] = [];
  const call = (name: string) => () =>
    new Promise<CallResponse>((end) => {
      begun.push(name);
      running.push({ name, end });
    });
  const endOne = async () => {
    running.shift()?.end(ok('done'));
    await new Promise(setImmediate);
  };
  const endAll = async () => {
    while (running.length > 0) await endOne();
  };
  return {
    begun,
    running,
    endOne,
    endAll,
    run: (name: string, priority: CallPriority, signal = never) =>
      limiter.run(call(name), { priority, signal }),
    create: (name: string, caller: string, leftMs = () => 18_500) =>
      limiter.run(call(name), {
        priority: 'create',
        signal: never,
        creation: { caller, count: 1, leftMs, callsToFinish: 0 },
      }),
  };
}

/** Runs one creation of this duration, so that the limiter can estimate the next ones. */
async function teachPace(limiter: CallLimiter, tookMs: number): Promise<void> {
  const creation = { caller: 'teacher', count: 1, leftMs: () => 18_500, callsToFinish: 0 };
  const call = async () => {
    await new Promise((resolve) => setTimeout(resolve, tookMs));
    return ok('done');
  };
  await limiter.run(call, { priority: 'create', signal: never, creation });
}

const fillPlaces = (calls: ReturnType<typeof makeCalls>) =>
  Array.from({ length: 8 }, (_, n) => calls.create(`first ${n}`, 'first'));

test('eight calls run at the same time, and the next begins when one ends', async () => {
  const calls = makeCalls(makeCallLimiter(makeFakeClock()));
  const all = Array.from({ length: 10 }, (_, n) => calls.run(String(n), 'create'));
  await new Promise(setImmediate);
  assert.equal(calls.begun.length, 8);
  await calls.endOne();
  assert.equal(calls.begun.length, 9);
  await calls.endAll();
  assert.deepEqual(new Set((await Promise.all(all)).map(({ ok }) => ok)), new Set([true]));
});

test('calls that complete a creation go first, then settling, then new creations, then sync', async () => {
  const calls = makeCalls(makeCallLimiter(makeFakeClock()));
  const all = [...fillPlaces(calls), calls.run('sync', 'sync'), calls.create('create', 'other')];
  all.push(calls.run('settle', 'settle'), calls.run('finish', 'finish'));
  await new Promise(setImmediate);
  await calls.endAll();
  assert.deepEqual(calls.begun.slice(8), ['finish', 'settle', 'create', 'sync']);
  await Promise.all(all);
});

test('sync uses at most two places, and gets a place after waiting for five seconds', async () => {
  const clock = makeFakeClock();
  const calls = makeCalls(makeCallLimiter(clock));
  const syncs = ['a', 'b', 'c'].map((name) => calls.run(name, 'sync'));
  await new Promise(setImmediate);
  assert.deepEqual(calls.begun, ['a', 'b']);
  const creations = Array.from({ length: 9 }, (_, n) => calls.create(`create ${n}`, 'x'));
  clock.advance(5_001);
  await calls.endOne();
  assert.deepEqual(calls.begun.slice(2), [0, 1, 2, 3, 4, 5].map((n) => `create ${n}`).concat('c'));
  await calls.endAll();
  await Promise.all([...syncs, ...creations]);
});

test('callers take turns: many orders of one caller delay the order of another by one turn', async () => {
  const calls = makeCalls(makeCallLimiter(makeFakeClock()));
  const all = fillPlaces(calls);
  for (let n = 0; n < 100; n++) all.push(calls.create(`flood ${n}`, 'flood'));
  all.push(calls.create('single', 'API: Kasse'), calls.create('web', 'Web: Rita'));
  await new Promise(setImmediate);
  await calls.endAll();
  assert.deepEqual(calls.begun.slice(8, 12), ['flood 0', 'single', 'web', 'flood 1']);
  await Promise.all(all);
});

test('in a full queue, an order of another caller replaces the newest order of the busiest caller', async () => {
  const calls = makeCalls(makeCallLimiter(makeFakeClock()));
  const all = fillPlaces(calls);
  // On a busy machine the calls last so long that a deadline would matter, too.
  const forever = () => Number.POSITIVE_INFINITY;
  const flood = Array.from({ length: 1_000 }, (_, n) => calls.create(`flood ${n}`, 'flood', forever));
  const refused = await calls.create('one too many', 'flood');
  assert.partialDeepStrictEqual(refused, { ok: false, problem: { kind: 'unreachable', cause: 'busy' } });
  const single = calls.create('single', 'API: Kasse');
  assert.partialDeepStrictEqual(await flood[999], { ok: false, problem: { cause: 'busy' } });
  await new Promise(setImmediate);
  await calls.endAll();
  assert.ok((await single).ok);
  assert.equal((await Promise.all(flood)).filter(({ ok }) => ok).length, 999);
  await Promise.all(all);
});

test('an order that cannot finish in the time left is refused before it is sent, with a retry time', async () => {
  const limiter = makeCallLimiter(makeFakeClock());
  await teachPace(limiter, 100);
  const calls = makeCalls(limiter);
  const late = await calls.create('late', 'x', () => 50);
  assert.partialDeepStrictEqual(late, {
    ok: false,
    problem: { kind: 'unreachable', cause: 'busy', retryAfterS: 1 },
  });
  const creation = { caller: 'x', count: 1, leftMs: () => 50, callsToFinish: 0 };
  assert.equal(limiter.overload(creation)?.cause, 'busy');
  assert.equal(limiter.overload({ ...creation, leftMs: () => 18_500 }), undefined);
  assert.deepEqual(calls.begun, []);
});

test('an order behind a long queue is refused at once', async () => {
  const limiter = makeCallLimiter(makeFakeClock());
  await teachPace(limiter, 200);
  const calls = makeCalls(limiter);
  const all = fillPlaces(calls);
  for (let n = 0; n < 500; n++) all.push(calls.create(`queued ${n}`, 'x', () => 3_600_000));
  await new Promise(setImmediate);
  const creation = { count: 1, leftMs: () => 10_000, callsToFinish: 0 };
  const refusal = limiter.overload({ ...creation, caller: 'x' });
  assert.equal(refusal?.cause, 'busy');
  assert.ok(
    (refusal?.retryAfterS ?? 0) >= 12 && (refusal?.retryAfterS ?? 0) <= 60,
    String(refusal?.retryAfterS),
  );
  assert.equal(limiter.overload({ ...creation, caller: 'y' }), undefined, 'another caller has its own turns');
  await calls.endAll();
  await Promise.all(all);
});

test('the calls that complete a creation are part of the time it needs', async () => {
  const limiter = makeCallLimiter(makeFakeClock());
  await teachPace(limiter, 100);
  const read = async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return ok('read');
  };
  await limiter.run(read, { priority: 'finish', signal: never, completes: true });
  const overload = (leftMs: number, callsToFinish: number) =>
    limiter.overload({ caller: 'x', count: 1, leftMs: () => leftMs, callsToFinish });
  assert.equal(overload(18_500, 2), undefined);
  assert.equal(overload(1_100, 2)?.cause, 'busy');
});

test('a call whose signal is aborted is not sent and fails as unreachable', async () => {
  const limiter = makeCallLimiter(makeFakeClock());
  const options = { priority: 'create', signal: AbortSignal.abort() } as const;
  const response = await limiter.run(() => assert.fail('the call was sent'), options);
  assert.ok(!response.ok);
  assert.equal(response.problem.kind, 'unreachable');
});

test('a call that waits too long leaves the queue without being sent', async () => {
  const limiter = makeCallLimiter(makeFakeClock());
  const calls = makeCalls(limiter);
  const busy = fillPlaces(calls);
  const hurry = new AbortController();
  const waiting = calls.run('waiting', 'create', hurry.signal);
  await new Promise(setImmediate);
  hurry.abort();
  const response = await waiting;
  assert.ok(!response.ok);
  assert.equal(response.problem.kind, 'unreachable');
  await calls.endAll();
  await Promise.all(busy);
  assert.ok(!calls.begun.includes('waiting'));
  const next = calls.run('next', 'create');
  await new Promise(setImmediate);
  await calls.endAll();
  assert.ok((await next).ok);
});

test('after five consecutive failures no call is sent for ten seconds, not even calls already waiting', async () => {
  const clock = makeFakeClock();
  const limiter = makeCallLimiter(clock);
  const options = { priority: 'create', signal: never } as const;
  let sent = 0;
  const failing = async (): Promise<CallResponse> => {
    sent++;
    await new Promise(setImmediate);
    return fail({ kind: 'unreachable', text: 'away' });
  };
  const responses = await Promise.all(Array.from({ length: 100 }, () => limiter.run(failing, options)));
  assert.ok(responses.every((response) => !response.ok && response.problem.kind === 'unreachable'));
  assert.ok(sent <= 16, `${sent} calls were sent`);
  clock.advance(9_999);
  assert.ok(!(await limiter.run(async () => ok('too early'), options)).ok);
  clock.advance(1);
  assert.ok((await limiter.run(async () => ok('again'), options)).ok);
});

test('a refusal is a response, so it ends a series of failures', async () => {
  const limiter = makeCallLimiter(makeFakeClock());
  const options = { priority: 'create', signal: never } as const;
  const away = async () => fail({ kind: 'unreachable' as const, text: 'away' });
  const refused = async () => fail({ kind: 'refused' as const, text: 'no' });
  for (const call of [away, away, away, away, refused, away, away, away, away])
    assert.doesNotMatch(JSON.stringify(await limiter.run(call, options)), /since/);
  assert.deepEqual(await limiter.run(async () => ok('sent'), options), ok('sent'));
});

test('a controller that was slow for a moment is not overloaded for ever', async () => {
  const limiter = makeCallLimiter(makeFakeClock());
  const creation = { caller: 'x', count: 1, leftMs: () => 1_900, callsToFinish: 0 };
  await teachPace(limiter, 1);
  await Promise.all(Array.from({ length: 4 }, () => teachPace(limiter, 1_000)));
  const calls = makeCalls(limiter);
  const running = calls.create('running', 'y');
  await new Promise(setImmediate);
  assert.equal(
    limiter.overload(creation)?.cause,
    'busy',
    'the upper estimate does not fit while another creation runs',
  );
  await calls.endAll();
  await running;
  assert.equal(limiter.overload(creation), undefined, 'without a running creation the average decides');
});
