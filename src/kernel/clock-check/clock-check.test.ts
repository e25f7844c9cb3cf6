// Tests when a clock is doubted and what ends the doubt, on machines whose clocks are wrong, jump and stop.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { type ClockRecord, type ClockRecordStore, makeClockCheck, untilTrustedMs } from './clock-check.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.parse('2026-11-17T08:00:00Z');

let stored: ClockRecord;
/** The true time, which the monotonic clock of every machine follows. */
let trueMs: number;
beforeEach(() => {
  trueMs = START_MS;
  stored = { heartbeatMs: START_MS, runningMs: 0, doubt: null };
});

const clockRecords: ClockRecordStore = {
  read: async () => stored,
  change: async (_nowMs, change) => {
    stored = change(stored);
    return stored;
  },
  confirm: async ({ atMs }) => {
    stored = { ...stored, heartbeatMs: atMs, doubt: null };
  },
};

/** A process that starts now, on a machine whose clock is wrong by `offMs`. */
function startProcess(offMs = 0) {
  const startedMs = trueMs;
  const clock = { offMs, nowMs: () => trueMs + clock.offMs };
  return { clock, ...makeClockCheck({ clockRecords, clock, monotonicMs: () => trueMs - startedMs }) };
}
type Process = ReturnType<typeof startProcess>;

async function run(processes: Process[], hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour++) {
    trueMs += HOUR_MS;
    for (const { beat } of processes) await beat();
  }
}

const isTrusted = async ({ readTrustedTime }: Process) => (await readTrustedTime()) !== undefined;

test('a clock that runs on is trusted, also after a stop of less than a day', async () => {
  const before = startProcess();
  await run([before], 30);
  assert.ok(await isTrusted(before));
  trueMs += 23 * HOUR_MS;
  assert.ok(await isTrusted(startProcess()));
});

test('a clock that jumps ahead is doubted at once, before the next heartbeat', async () => {
  const service = startProcess();
  await run([service], 1);
  service.clock.offMs = DAY_MS - 1;
  assert.ok(await isTrusted(service));
  service.clock.offMs = 800 * DAY_MS;
  assert.ok(!(await isTrusted(service)));
  await run([service], 23);
  assert.ok(!(await isTrusted(service)));
  assert.equal(stored.heartbeatMs, START_MS + HOUR_MS, 'a doubted clock does not renew the heartbeat');
});

test('a doubted clock that is corrected is trusted at once', async () => {
  const service = startProcess(800 * DAY_MS);
  await run([service], 3);
  service.clock.offMs = 0;
  assert.ok(await isTrusted(service));
  await run([service], 1);
  assert.equal(stored.doubt, null);
});

test('after five months without the service, the clock is trusted when the service has run for 24 hours', async () => {
  trueMs += 150 * DAY_MS;
  const service = startProcess();
  await service.beat();
  await run([service], 23);
  assert.ok(!(await isTrusted(service)));
  assert.equal(untilTrustedMs(stored), HOUR_MS);
  await run([service], 1);
  assert.ok(await isTrusted(service));
});

test('the 24 hours are counted over restarts, without the time in between', async () => {
  trueMs += 150 * DAY_MS;
  for (let day = 0; day < 3; day++) {
    const service = startProcess();
    await service.beat();
    await run([service], 8);
    assert.equal(await isTrusted(service), day === 2, `day ${day}`);
    trueMs += 16 * HOUR_MS;
  }
});

test('another jump starts the 24 hours anew', async () => {
  const service = startProcess(800 * DAY_MS);
  await run([service], 23);
  service.clock.offMs = 400 * DAY_MS;
  await run([service], 20);
  assert.ok(!(await isTrusted(service)));
  await run([service], 5);
  assert.ok(await isTrusted(service));
});

test('a clock that is behind is trusted, and doubted when it jumps back to the true time', async () => {
  const service = startProcess(-50 * 365 * DAY_MS);
  await run([service], 2);
  assert.ok(await isTrusted(service));
  service.clock.offMs = 0;
  assert.ok(!(await isTrusted(service)));
  await service.beat({ isVouched: true });
  assert.ok(await isTrusted(service));
});

test('another machine or an administrator ends the doubt', async () => {
  const service = startProcess(800 * DAY_MS);
  await service.beat();
  await service.beat({ isVouched: true });
  assert.ok(await isTrusted(service));

  service.clock.offMs = 1600 * DAY_MS;
  await service.beat();
  const actor = { kind: 'command', id: null, name: 'root' } as const;
  await clockRecords.confirm({ actor, atMs: service.clock.nowMs() });
  assert.ok(await isTrusted(service));
});

test('beside an instance with the right clock, a wrong clock stays doubted', async () => {
  const [right, wrong] = [startProcess(), startProcess(800 * DAY_MS)];
  await run([right, wrong], 72);
  assert.ok(await isTrusted(right));
  assert.ok(!(await isTrusted(wrong)));
});

test('two instances that run at the same time count as one', async () => {
  const [one, other] = [startProcess(800 * DAY_MS), startProcess(800 * DAY_MS)];
  for (const { beat } of [one, other]) await beat();
  await run([one, other], 23);
  assert.equal(stored.runningMs, 23 * HOUR_MS);
  assert.ok(!(await isTrusted(one)));
});
