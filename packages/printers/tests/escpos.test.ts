// The simulated ESC/POS printer: which bytes give which slip, and what it answers.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { type EscPosOptions, type EscPosPrinter, startEscPosPrinter } from '../src/escpos/printer.ts';
import { encodePng } from '../src/png/encode.ts';
import { ask, CONFIRM, CUT, call, draw, INITIALISE, LETTERS, raster, show } from './support/pictures.ts';

const folder = await mkdtemp(join(tmpdir(), 'slips-'));
after(() => rm(folder, { recursive: true }));

let printer: EscPosPrinter;
afterEach(() => printer.stop());

async function start(options: EscPosOptions = {}) {
  printer = await startEscPosPrinter(options);
  return call(printer.port);
}

test('a picture and a cut give a slip as wide as the paper, and GS r is answered after them', async () => {
  const caller = await start();
  caller.send(INITIALISE, raster(LETTERS), CUT, CONFIRM);
  assert.deepEqual(await caller.read(1), [0]);
  const [slip] = printer.slips;
  assert.ok(slip);
  assert.deepEqual([slip.width, slip.height, slip.ending, slip.number], [576, 5, 'cut', 1]);
  assert.deepEqual(show(slip, 8, 5), show(LETTERS, 8, 5));
  await caller.finish();
  assert.equal(printer.slips.length, 1);
  assert.deepEqual(printer.events, ['slip 1: 576 × 5 dots, cut']);
});

test('bands join without a gap, feeds add white rows, and the end of the connection ends a slip', async () => {
  const caller = await start({ paper: 58 });
  caller.send(
    raster(LETTERS),
    raster(LETTERS),
    Buffer.from([0x1b, 0x4a, 7, 0x0a, 0x1b, 0x64, 2]),
    raster(LETTERS),
  );
  await caller.finish();
  assert.deepEqual(
    printer.slips.map(({ width, height, ending }) => ({ width, height, ending })),
    [{ width: 384, height: 10 + 7 + 30 + 60 + 5, ending: 'uncut' }],
  );
  const [slip] = printer.slips;
  assert.ok(slip);
  assert.deepEqual(show(slip, 8, 10), [...show(LETTERS, 8, 5), ...show(LETTERS, 8, 5)]);
});

test('ESC a places a picture that is narrower than the paper, until ESC @', async () => {
  const align = (place: number) => Buffer.from([0x1b, 0x61, place]);
  const caller = await start();
  caller.send(align(1), raster(LETTERS), CUT, align(50), raster(LETTERS), CUT);
  caller.send(INITIALISE, raster(LETTERS), CUT);
  await caller.finish();
  const left = 576 / 8 - 1;
  assert.deepEqual(
    printer.slips.map(({ bits }) => bits.findIndex((byte) => byte !== 0)),
    [Math.floor(left / 2), left, 0],
  );
  assert.ok(printer.events.every((event) => event.startsWith('slip')));
});

test('GS v 0 doubles the width, the height or both', async () => {
  const dots = draw('#..##.#.', '........');
  const caller = await start();
  caller.send(raster(dots, 1), CUT, raster(dots, 2), CUT, raster(dots, 51), CUT);
  await caller.finish();
  const [wide, tall, both] = printer.slips;
  assert.ok(wide && tall && both);
  assert.deepEqual(show(wide, 16, 2), ['##....####..##..', '................']);
  assert.deepEqual(show(tall, 8, 3), ['#..##.#.', '#..##.#.', '........']);
  assert.deepEqual([both.height, ...show(both, 16, 2)], [4, '##....####..##..', '##....####..##..']);
});

test('dots beyond the paper are lost, and a cut with a feed moves the slip to the cutter first', async () => {
  const caller = await start({ paper: 58 });
  caller.send(raster(draw('#'.repeat(640))), Buffer.from([0x1d, 0x56, 66, 10]));
  await caller.finish();
  const [slip] = printer.slips;
  assert.deepEqual([slip?.width, slip?.height, slip?.bits.length], [384, 111, (111 * 384) / 8]);
  assert.ok(slip?.bits.subarray(0, 48).every((byte) => byte === 0xff));
});

test('unknown commands and text are reported, and a feed alone is no slip', async () => {
  const caller = await start();
  caller.send(
    Buffer.from([0x1b, 0x21, 0, 0x1c, 0x2e, 0x0a, 0x1d, 0x76, 0x31, 0x1d, 0x56, 9, 0x10, 0x05]),
    ask(1),
  );
  await caller.finish();
  assert.deepEqual(printer.events, [
    'unknown command: 1b21',
    'unknown command: 1c',
    'text that is not drawn: 2e',
    'unknown command: 1d7631',
    'unknown command: 1d5609',
    'unknown command: 1005',
  ]);
  assert.deepEqual(printer.slips, []);
});

test('a picture after an unknown command or a text is printed', async () => {
  const caller = await start();
  caller.send(Buffer.from([0x1b, 0x21, 0, 0x2e]), raster(LETTERS), CUT);
  await caller.finish();
  assert.equal(printer.slips.length, 1);
});

test('DLE EOT is answered at once, even in the middle of a picture', async () => {
  const caller = await start();
  caller.send(ask(1), ask(2), ask(3), ask(4));
  assert.deepEqual(await caller.read(4), [0x12, 0x12, 0x12, 0x12]);
  caller.send(raster(LETTERS).subarray(0, 10), ask(4));
  assert.deepEqual(await caller.read(1), [0x12]);
  caller.socket.destroy();
});

test('slips are written as PNG files, numbered on from those that are there', async () => {
  const options = { out: join(folder, 'new'), paper: 58 } as const;
  const first = await start(options);
  first.send(raster(LETTERS), CUT, raster(LETTERS), CUT);
  await first.finish();
  await printer.stop();
  const second = await start(options);
  second.send(raster(LETTERS));
  await second.finish();
  assert.deepEqual(readdirSync(options.out), ['slip-0001.png', 'slip-0002.png', 'slip-0003.png']);
  const [slip] = printer.slips;
  assert.ok(slip?.file);
  assert.deepEqual(readFileSync(slip.file), encodePng(slip));
});

test('a second connection waits until the first is closed', async () => {
  const first = await start();
  first.send(raster(LETTERS));
  first.send(ask(1));
  await first.read(1);
  const second = call(printer.port);
  second.send(raster(draw('########')), CUT, CONFIRM);
  first.send(CUT, CONFIRM);
  await first.read(1);
  assert.equal(printer.slips.length, 1);
  await first.finish();
  await second.read(1);
  await second.finish();
  assert.deepEqual(
    printer.slips.map(({ height }) => height),
    [5, 1],
  );
  assert.ok(printer.events.includes('a second connection waits'));
});
