// Tests what becomes of print jobs: when they wait, end, expire or are unknown, and what is known about the printer.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { DrawJob } from '../../../src/features/printers/channel/draw-job.ts';
import type { PrinterId } from '../../../src/kernel/ids.ts';
import { dieAtPlaces, placesOf } from '../../support/printers/dying-printer.ts';
import { type PrintingQueue, startPrintingQueue } from '../../support/printers/printing-queue.ts';
import {
  COVER_OPEN,
  PAPER_OUT,
  type RawPrinter,
  startRawPrinter,
} from '../../support/printers/raw-printer.ts';
import { until } from '../../support/until.ts';

const soon = { timeout: 60_000 };
const PLACES = 24;

const picture = { width: 384, height: 8, bits: Buffer.alloc(48 * 8, 0xaa) };
let drawJob: DrawJob | undefined;
let queue: PrintingQueue;
let printer: RawPrinter;
let id: PrinterId;
before(async () => {
  printer = await startRawPrinter();
  queue = await startPrintingQueue({ drawJob: async (...job) => drawJob?.(...job) ?? { picture } });
});
beforeEach(async () => {
  drawJob = undefined;
  await printer.clear();
  id = await queue.addPrinter(printer.address);
});
after(async () => {
  await queue[Symbol.asyncDispose]();
  await printer[Symbol.asyncDispose]();
});

const stateOf = async () => (await queue.findPrinter(id)).status?.state;
/** Waits until the printer was called this many times from now on. */
async function untilCalled(times: number): Promise<void> {
  const first = printer.connections();
  await until(() => printer.connections() >= first + times, { everyMs: 0 });
}

test('a job is printed, and the printer is ready', soon, async () => {
  const job = await queue.until(await queue.order(id), 'printed');
  assert.partialDeepStrictEqual(job, { isConfirmed: true, lastError: null });
  assert.equal(await stateOf(), 'ready');
});

test('a job of a printer that never answers counts as printed, but is not confirmed', soon, async () => {
  await using mute = await startRawPrinter();
  mute.behave({ states: null });
  const job = await queue.until(await queue.order(await queue.addPrinter(mute.address)), 'printed');
  assert.partialDeepStrictEqual(job, { isConfirmed: false, lastError: null });
});

test('jobs wait in turn while there is no paper, and are printed when it is back', soon, async () => {
  printer.behave({ states: PAPER_OUT });
  const jobs = [await queue.order(id), await queue.order(id)];
  await untilCalled(3);
  for (const job of jobs) assert.equal((await queue.find(job)).state, 'queued');
  assert.equal(await stateOf(), 'paper-out');
  printer.behave({ states: COVER_OPEN });
  await untilCalled(2);
  assert.equal(await stateOf(), 'cover-open');
  printer.behave({});
  for (const job of jobs) await queue.until(job, 'printed');
  assert.equal(await stateOf(), 'ready');
  assert.equal(printer.slips.length, 2);
});

test('a printer without paper is logged once, its failed attempts at the end', soon, async () => {
  const said = () => queue.logLines.filter(({ recipientId }) => recipientId === id);
  printer.behave({ states: PAPER_OUT });
  const jobs = [await queue.order(id), await queue.order(id)];
  await untilCalled(5);
  // On a busy machine, the printer may also answer too late: then that is another problem.
  const problems = () => said().map(({ problem }) => problem);
  const isRepeated = (problem: unknown, index: number) => index > 0 && problem === problems()[index - 1];
  assert.equal(said()[0]?.msg, 'a message was not delivered');
  assert.equal(problems().at(-1), 'paper-out');
  assert.equal(problems().some(isRepeated), false);
  printer.behave({ states: COVER_OPEN });
  await untilCalled(5);
  assert.equal(problems().at(-1), 'cover-open');
  assert.equal(problems().some(isRepeated), false);
  const failed = said().length;
  printer.behave({});
  for (const job of jobs) await queue.until(job, 'printed');
  const [again, ...more] = said().slice(failed);
  assert.equal(again?.msg, 'messages are delivered again');
  assert.ok(Number(again?.failures) >= 8, `${again?.failures} failures`);
  assert.deepEqual(more, []);
});

test('a job that is not confirmed is unknown, and the next one is printed', soon, async () => {
  printer.behave({ diesAfter: 40 });
  const job = await queue.until(await queue.order(id), 'unknown');
  assert.match(job.lastError ?? '', /ECONNRESET|closed/);
  assert.equal(await stateOf(), 'fault');
  printer.behave({});
  await queue.until(await queue.order(id), 'printed');
  assert.equal(await stateOf(), 'ready');
});

test('the state says why a printer cannot be reached', soon, async () => {
  const nobody = await queue.addPrinter('127.0.0.1:9');
  const forbidden = await queue.addPrinter('169.254.3.4');
  const jobs = [await queue.order(nobody), await queue.order(forbidden)];
  const wordsOf = async (printerId: PrinterId) => {
    await until(async () => (await queue.findPrinter(printerId)).status);
    const { status } = await queue.findPrinter(printerId);
    return `${status?.state}: ${status?.words}`;
  };
  assert.match(await wordsOf(nobody), /^silent: .*ECONNREFUSED/);
  assert.match(await wordsOf(forbidden), /^silent: 169\.254\.3\.4 is a link-local/);
  for (const job of jobs) assert.equal((await queue.find(job)).state, 'queued');
  await queue.removePrinter(nobody);
  await queue.removePrinter(forbidden);
  for (const job of jobs) await queue.until(job, 'cancelled');
});

test('a job whose voucher has ended is cancelled', soon, async () => {
  const nothing = { durationMs: 0, status: null, response: null };
  const calls = printer.connections();
  drawJob = async () => ({ outcome: { ...nothing, result: 'cancelled', error: 'the voucher has ended' } });
  const job = await queue.until(await queue.order(id), 'cancelled');
  assert.equal(job.lastError, 'the voucher has ended');
  assert.equal(printer.connections(), calls);
});

test('a slip that cannot be drawn fails, and does not hold up the next one', soon, async () => {
  let drawings = 0;
  drawJob = async () => {
    if (++drawings <= 3) throw new Error('no such font');
    return { picture };
  };
  const [first, next] = [await queue.order(id), await queue.order(id)];
  assert.match((await queue.until(first, 'failed')).lastError ?? '', /could not be drawn: no such font/);
  await queue.until(next, 'printed');
});

test('two senders print each job once', soon, async () => {
  const other = queue.startSender();
  const jobs = [];
  for (let count = 0; count < 10; count++) jobs.push(await queue.order(id));
  for (const job of jobs) await queue.until(job, 'printed');
  assert.equal(printer.slips.length, jobs.length);
  await other.stop();
});

test(
  'wherever a printer dies in a job, the job is not printed twice, and never lost silently',
  soon,
  async () => {
    await using plain = await startPrintingQueue();
    await dieAtPlaces(placesOf(PLACES), plain);
  },
);
