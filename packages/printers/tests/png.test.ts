// PNG files: what is written can be read again, and files of other programs are read, too.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { decodePng } from '../src/png/decode.ts';
import { encodePng, PNG_SIGNATURE } from '../src/png/encode.ts';
import { draw, LETTERS, show } from './support/pictures.ts';

function png(
  ihdr: { width: number; height: number; depth: number; type: number },
  rows: number[][],
  palette?: number[],
) {
  const { width, height, depth, type } = ihdr;
  const header = Buffer.from([0, 0, 0, width, 0, 0, 0, height, depth, type, 0, 0, 0]);
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    ...(palette ? [chunk('PLTE', Buffer.from(palette))] : []),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(data.length, 0);
  numbers.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([numbers.subarray(0, 4), body, numbers.subarray(4)]);
}

test('a picture survives, also if its width is no multiple of 8', () => {
  assert.deepEqual(decodePng(encodePng(LETTERS)), LETTERS);
  const odd = draw('#..#.#..#.#', '.#.#.#....#');
  assert.deepEqual(show(decodePng(encodePng(odd)), 11, 2), show(odd, 11, 2));
});

test('all five filters, grey values, colours, palettes and transparency are read', () => {
  const filtered = [
    [0, 10, 20, 30],
    [1, 10, 10, 10],
    [2, 0, 0, 0],
    [3, 245, 220, 100],
    [4, 0, 1, 2],
  ];
  const grey = decodePng(png({ width: 3, height: 5, depth: 8, type: 0 }, filtered));
  assert.deepEqual(show(grey, 3, 5), ['###', '###', '###', '.#.', '.#.']);
  const small = decodePng(png({ width: 4, height: 1, depth: 2, type: 0 }, [[0, 0b00_01_10_11]]));
  assert.deepEqual(show(small, 4, 1), ['##..']);
  const colours = decodePng(png({ width: 2, height: 1, depth: 8, type: 2 }, [[0, 200, 20, 20, 255, 200, 0]]));
  assert.deepEqual(show(colours, 2, 1), ['#.']);
  const palette = decodePng(
    png({ width: 2, height: 1, depth: 1, type: 3 }, [[0, 0b01_000000]], [255, 255, 255, 9, 9, 9]),
  );
  assert.deepEqual(show(palette, 2, 1), ['.#']);
  const clear = decodePng(png({ width: 2, height: 1, depth: 8, type: 6 }, [[0, 0, 0, 0, 0, 0, 0, 0, 255]]));
  assert.deepEqual(show(clear, 2, 1), ['.#']);
});

test('damaged files are refused', () => {
  const file = encodePng(LETTERS);
  const damaged = Buffer.from(file);
  damaged[20] = 9;
  assert.throws(() => decodePng(damaged), /wrong checksum of IHDR/);
  assert.throws(() => decodePng(file.subarray(0, -12)), /no end/);
  assert.throws(() => decodePng(Buffer.from('GIF89a')), /not a PNG/);
  assert.throws(
    () => decodePng(png({ width: 1, height: 2, depth: 8, type: 0 }, [[0, 0]])),
    /too few or too many/,
  );
  assert.throws(
    () => decodePng(png({ width: 1, height: 1, depth: 16, type: 0 }, [[0, 0, 0]])),
    /not understood/,
  );
});
