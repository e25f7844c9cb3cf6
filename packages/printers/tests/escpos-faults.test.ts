// Every fault of the simulated ESC/POS printer.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EscPosPrinter, startEscPosPrinter } from '../src/escpos/printer.ts';
import type { Faults } from '../src/faults.ts';
import { ask, CONFIRM, CUT, call, LETTERS, raster } from './support/pictures.ts';
import { until } from './support/until.ts';

const JOB = Buffer.concat([raster(LETTERS), CUT, CONFIRM]);

let printer: EscPosPrinter;
afterEach(() => printer.stop());

async function start(faults: Faults = {}) {
  printer = await startEscPosPrinter({ faults });
  return call(printer.port);
}

test('slow: the rest of the job follows later', async () => {
  const caller = await start({ slow: 20 });
  caller.send(JOB);
  const confirmed = caller.read(1);
  assert.equal(await Promise.race([confirmed, sleep(100, 'later')]), 'later');
  printer.setFault('slow', false);
  assert.deepEqual(await confirmed, [0]);
});

test('dies-after-bytes: the connection breaks, and the slip has the rows of those bytes', async () => {
  const caller = await start({ 'dies-after-bytes': 8 + 3 });
  caller.send(JOB);
  await assert.rejects(caller.finish(), { code: 'ECONNRESET' });
  assert.deepEqual(
    printer.slips.map(({ height, ending }) => [height, ending]),
    [[3, 'power-lost']],
  );
  printer.setFault('dies-after-bytes', false);
  const again = call(printer.port);
  again.send(JOB);
  assert.deepEqual(await again.read(1), [0]);
  assert.equal(printer.slips[1]?.ending, 'cut');
});

test('dies-after-rows: the slip ends after that row', async () => {
  const caller = await start({ 'dies-after-rows': 2 });
  caller.send(JOB);
  await assert.rejects(caller.finish(), { code: 'ECONNRESET' });
  assert.deepEqual(
    printer.slips.map(({ height, ending }) => [height, ending]),
    [[2, 'power-lost']],
  );
});

test('paper-out and cover-open: the status says so, and the job is printed when the trouble has ended', async () => {
  const caller = await start({ 'paper-out': true });
  caller.send(ask(1), ask(2), ask(4));
  assert.deepEqual(await caller.read(3), [0x1a, 0x32, 0x7e]);
  printer.setFault('paper-out', false);
  printer.setFault('cover-open');
  caller.send(ask(1), ask(2), ask(4), JOB, ask(2));
  assert.deepEqual(await caller.read(4), [0x1a, 0x16, 0x12, 0x16]);
  assert.deepEqual(printer.slips, []);
  printer.setFault('cover-open', false);
  assert.deepEqual(await caller.read(1), [0]);
  assert.equal(printer.slips.length, 1);
});

test('paper-out: a printer that a sender has left answers the next one', async () => {
  const caller = await start({ 'paper-out': true });
  caller.send(ask(1), raster(LETTERS));
  assert.deepEqual(await caller.read(1), [0x1a]);
  await caller.finish();
  const next = call(printer.port);
  next.send(ask(1));
  assert.deepEqual(await next.read(1), [0x1a]);
});

test('paper-ends-after-rows: the printer stops there, and goes on with new paper', async () => {
  const caller = await start({ 'paper-ends-after-rows': 2 });
  caller.send(JOB);
  await until(() => printer.events.length > 0);
  caller.send(ask(4));
  assert.deepEqual(await caller.read(1), [0x7e]);
  printer.setFault('paper-ends-after-rows', false);
  printer.setFault('paper-out', false);
  assert.deepEqual(await caller.read(1), [0]);
  assert.equal(printer.slips[0]?.height, 5);
});

test('offline: every connection is reset', async () => {
  const caller = await start({ offline: true });
  await assert.rejects(caller.finish(), { code: 'ECONNRESET' });
});

test('hangs: nothing is read and nothing is answered until the fault ends', async () => {
  const caller = await start({ hangs: true });
  caller.send(ask(1));
  assert.equal(await Promise.race([caller.read(1), sleep(50, 'nothing')]), 'nothing');
  printer.setFault('hangs', false);
  // The connection is closed, or reset if what was sent has arrived by then.
  await caller.finish().catch((error) => assert.equal(error.code, 'ECONNRESET'));
  assert.equal(caller.socket.bytesRead, 0);
});

test('silent: the slip is printed, but no question is answered', async () => {
  const caller = await start({ silent: true });
  caller.send(ask(1), JOB);
  await caller.finish();
  assert.equal(printer.slips.length, 1);
  assert.equal(caller.socket.bytesRead, 0);
});

test('reports-ready: the status is good without paper', async () => {
  const caller = await start({ 'paper-out': true, 'cover-open': true, 'reports-ready': true });
  caller.send(ask(1), ask(2), ask(4));
  assert.deepEqual(await caller.read(3), [0x12, 0x12, 0x12]);
});

test('prints-nothing: the job is confirmed without a slip', async () => {
  const caller = await start({ 'prints-nothing': true });
  caller.send(JOB);
  assert.deepEqual(await caller.read(1), [0]);
  assert.deepEqual(printer.slips, []);
});

test('faults that do not exist for this printer, or lack their number, are refused', async () => {
  await start();
  assert.throws(() => printer.setFault('polls-twice'), /kind escpos do not have the fault polls-twice/);
  assert.throws(() => printer.setFault('slow'), /needs a number \(bytes per second\)/);
  assert.throws(() => printer.setFault('silent', 3), /has no number/);
});
