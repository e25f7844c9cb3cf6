// Tests leases: one job per name at a time. The lease is renewed while the job runs, its loss is signalled to the job,
// and it is released when the job ends, however it ends.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { type LeaseStore, makeWithLease } from './leases.ts';

const HELD_MS = 10_000;
const RENEWED_EVERY_MS = 3_000;

/** A lease store with a clock that only the test moves. */
function makeFakeStore() {
  const held = new Map<string, { holder: string; untilMs: number }>();
  let nowMs = 0;
  let takes = 0;
  let failure: Error | undefined;
  const store: Pick<LeaseStore, 'take' | 'release'> = {
    async take(name, holder, forMs) {
      takes++;
      if (failure) throw failure;
      const current = held.get(name);
      if (current && current.holder !== holder && current.untilMs > nowMs) return false;
      held.set(name, { holder, untilMs: nowMs + forMs });
      return true;
    },
    async release(name, holder) {
      if (failure) throw failure;
      if (held.get(name)?.holder === holder) held.delete(name);
    },
  };
  return {
    store,
    held,
    takes: () => takes,
    fail: (error: Error | undefined) => {
      failure = error;
    },
    /** Time passes for the database, and for this process unless it is frozen. */
    async pass(ms: number, { frozen = false } = {}) {
      nowMs += ms;
      if (frozen) return;
      mock.timers.tick(ms);
      await settled();
    },
  };
}

/** Waits until all pending reactions have run. */
const settled = () => new Promise(setImmediate);
const going = new AbortController().signal;

beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
afterEach(() => mock.timers.reset());

/** A job that runs until the test ends it. */
function makeJob() {
  const { promise, resolve } = Promise.withResolvers<string>();
  const signals: AbortSignal[] = [];
  return {
    signals,
    end: resolve,
    run: (signal: AbortSignal) => {
      signals.push(signal);
      return promise;
    },
  };
}

test('a job runs with its lease, and its result is returned', async () => {
  const { store, held } = makeFakeStore();
  assert.equal(await makeWithLease(store)('sync', going, async () => 'done'), 'done');
  assert.equal(held.size, 0);
});

test('while a job runs, no job with the same name begins, in this process or in another', async () => {
  const { store } = makeFakeStore();
  const [here, elsewhere] = [makeWithLease(store), makeWithLease(store)];
  const job = makeJob();
  const working = here('sync', going, job.run);
  await settled();
  const never = () => assert.fail('it must not begin');
  assert.equal(await here('sync', going, never), undefined);
  assert.equal(await elsewhere('sync', going, never), undefined);
  assert.equal(await elsewhere('another', going, async () => 'done'), 'done');

  job.end('done');
  assert.equal(await working, 'done');
  assert.equal(await elsewhere('sync', going, async () => 'next'), 'next');
});

test('a long job keeps its lease as long as it runs', async () => {
  const { store, pass, held } = makeFakeStore();
  const job = makeJob();
  const working = makeWithLease(store)('sync', going, job.run);
  await settled();
  for (let renewals = 0; renewals < 20; renewals++) {
    await pass(RENEWED_EVERY_MS);
    assert.equal(await makeWithLease(store)('sync', going, async () => 'stolen'), undefined);
  }
  assert.equal(job.signals[0]?.aborted, false);
  job.end('done');
  assert.equal(await working, 'done');
  assert.equal(held.size, 0);
});

test('the lease of a crashed or frozen process can be taken after ten seconds', async () => {
  const { store, pass } = makeFakeStore();
  void makeWithLease(store)('sync', going, () => new Promise(() => {}));
  await settled();
  const successor = makeWithLease(store);
  await pass(HELD_MS - 1, { frozen: true });
  assert.equal(await successor('sync', going, async () => 'taken over'), undefined);
  await pass(1, { frozen: true });
  assert.equal(await successor('sync', going, async () => 'taken over'), 'taken over');
});

test('a process that resumes is told that its lease is lost, and does not release the new lease', async () => {
  const { store, pass, held } = makeFakeStore();
  const [frozen, successor] = [makeJob(), makeJob()];
  const thawed = makeWithLease(store)('sync', going, frozen.run);
  await settled();
  await pass(HELD_MS, { frozen: true });
  const next = makeWithLease(store)('sync', going, successor.run);
  await settled();
  const holder = held.get('sync')?.holder;

  await pass(RENEWED_EVERY_MS);
  assert.deepEqual([frozen.signals[0]?.aborted, successor.signals[0]?.aborted], [true, false]);
  frozen.end('too late');
  await thawed;
  assert.equal(held.get('sync')?.holder, holder);
  successor.end('done');
  assert.equal(await next, 'done');
});

test('a lease that cannot be renewed counts as lost', async () => {
  const { store, pass, fail } = makeFakeStore();
  const job = makeJob();
  const working = makeWithLease(store)('sync', going, job.run);
  await settled();
  fail(new Error('database unavailable'));
  await pass(RENEWED_EVERY_MS);
  assert.equal(job.signals[0]?.aborted, true);
  job.end('done');
  assert.equal(await working, 'done');
});

test('a stop signal reaches the job', async () => {
  const { store } = makeFakeStore();
  const stopping = new AbortController();
  const job = makeJob();
  const working = makeWithLease(store)('sync', stopping.signal, job.run);
  await settled();
  assert.equal(job.signals[0]?.aborted, false);
  stopping.abort();
  assert.equal(job.signals[0]?.aborted, true);
  job.end('stopped');
  await working;
});

test('a failed job releases its lease, and its error is passed on', async () => {
  const { store, held } = makeFakeStore();
  const failing = makeWithLease(store)('sync', going, () => Promise.reject(new Error('no luck')));
  await assert.rejects(failing, /no luck/);
  assert.equal(held.size, 0);
});

test('a job succeeds even if its lease cannot be released', async () => {
  const { store, fail } = makeFakeStore();
  const done = await makeWithLease(store)('sync', going, async () => {
    fail(new Error('database unavailable'));
    return 'done';
  });
  assert.equal(done, 'done');
});

test('without the database no job begins, and the error is passed on', async () => {
  const { store, fail } = makeFakeStore();
  fail(new Error('database unavailable'));
  const job = makeWithLease(store)('sync', going, async () => assert.fail('it must not begin'));
  await assert.rejects(job, /database unavailable/);
});

test('a lease is not renewed after the job has ended', async () => {
  const { store, pass, takes, held } = makeFakeStore();
  await makeWithLease(store)('sync', going, async () => 'done');
  const before = takes();
  await pass(10 * RENEWED_EVERY_MS);
  assert.deepEqual([takes(), held.size], [before, 0]);
});

test('a renewal in progress when the job ends does not keep the lease', async () => {
  const { store, pass, held } = makeFakeStore();
  const { promise: slow, resolve: respond } = Promise.withResolvers<void>();
  let takes = 0;
  const job = makeJob();
  const working = makeWithLease({
    ...store,
    async take(...lease) {
      if (takes++ > 0) await slow;
      return store.take(...lease);
    },
  })('sync', going, job.run);
  await settled();
  await pass(RENEWED_EVERY_MS);
  job.end('done');
  await settled();
  respond();
  assert.equal(await working, 'done');
  await settled();
  assert.equal(held.size, 0);
});
