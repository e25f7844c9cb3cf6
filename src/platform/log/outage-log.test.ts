// Tests the log during an outage of the database: one stack a minute, counts for the rest, and one line at the end.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DatabaseUnavailable } from '../values/database-unavailable.ts';
import { makeLog } from './make-log.ts';
import { makeOutageLog } from './outage-log.ts';

const AWAY = () => new DatabaseUnavailable(new Error('connect ECONNREFUSED'));

function setup(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const lines: ReturnType<typeof JSON.parse>[] = [];
  const database = { isAway: true, nowMs: 0 };
  const { log, stop } = makeOutageLog({
    log: makeLog('info', { write: (line) => void lines.push(JSON.parse(line)) }),
    probe: async () => {
      if (database.isAway) throw AWAY();
    },
    nowMs: () => database.nowMs,
  });
  return {
    database,
    log,
    stop,
    fail: (requestId: string) => log.error({ requestId, err: AWAY() }, 'request failed'),
    /** The lines since the last call. */
    taken: () => lines.splice(0).map(({ time, ...line }) => line),
    async pass(seconds: number) {
      for (let second = 0; second < seconds; second++) {
        database.nowMs += 1_000;
        t.mock.timers.tick(1_000);
        // The probe and its consequences.
        for (let turn = 0; turn < 5; turn++) await Promise.resolve();
      }
    },
  };
}

test('one error a minute has its stack and the number of those left out', async (t) => {
  const { fail, taken, pass } = setup(t);
  for (let minute = 0; minute < 3; minute++) {
    for (let second = 0; second < 60; second++) {
      fail(`r-${minute}-${second}`);
      await pass(1);
    }
  }
  const [first, second, third, ...more] = taken();
  assert.deepEqual(more, []);
  assert.match(first.err.stack, /ECONNREFUSED.* at /s);
  assert.deepEqual(
    [first, second, third].map(({ requestId, leftOut }) => [requestId, leftOut]),
    [
      ['r-0-0', undefined],
      ['r-1-0', 59],
      ['r-2-0', 59],
    ],
  );
});

test('one line tells how long the database was unavailable, and how many errors there were', async (t) => {
  const { fail, taken, pass, database } = setup(t);
  fail('r-1');
  await pass(9);
  fail('r-2');
  database.isAway = false;
  await pass(1);
  assert.equal(taken().length, 1, 'there was an error since the last probe');
  await pass(10);
  assert.deepEqual(taken(), [
    { level: 'warn', unavailableMs: 11_000, errors: 2, msg: 'database works again' },
  ]);
});

test('a second outage within the minute begins with a line without a stack', async (t) => {
  const { fail, taken, pass, database } = setup(t);
  fail('r-1');
  database.isAway = false;
  await pass(3);
  taken();
  fail('r-2');
  fail('r-3');
  assert.deepEqual(taken(), [
    {
      level: 'error',
      requestId: 'r-2',
      reason: 'database unavailable: connect ECONNREFUSED',
      msg: 'request failed',
    },
  ]);
});

test('an order loses the stack, but not its entry', (t) => {
  const { fail, log, taken } = setup(t);
  fail('r-1');
  log.error({ requestId: 'r-2', siteId: 1, name: 'Gast', err: AWAY() }, 'no voucher created');
  const [, order] = taken();
  assert.deepEqual(order, {
    level: 'error',
    requestId: 'r-2',
    siteId: 1,
    name: 'Gast',
    reason: 'database unavailable: connect ECONNREFUSED',
    msg: 'no voucher created',
  });
});

test('other errors keep their stack', (t) => {
  const { fail, log, taken } = setup(t);
  fail('r-1');
  log.error({ requestId: 'r-2', err: new Error('a bug') }, 'request failed');
  assert.match(taken()[1].err.stack, /a bug/);
});

test('a service that stops meanwhile says so, and probes no more', async (t) => {
  const { fail, stop, taken, pass, database } = setup(t);
  fail('r-1');
  await pass(2);
  taken();
  stop();
  assert.deepEqual(taken(), [
    {
      level: 'warn',
      unavailableMs: 2_000,
      errors: 1,
      msg: 'service stops while the database is unavailable',
    },
  ]);
  database.isAway = false;
  await pass(5);
  assert.deepEqual(taken(), []);
});
