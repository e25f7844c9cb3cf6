// A small picture that is easy to compare, and the ESC/POS bytes that print it.

import { connect, type Socket } from 'node:net';
import type { Bitmap } from '../../src/bitmap.ts';
import { until } from './until.ts';

/** Lines of "#" and "." as dots. */
export function draw(...lines: string[]): Bitmap {
  const width = lines[0]?.length ?? 0;
  const bits = lines.flatMap((line) =>
    (line.padEnd(Math.ceil(width / 8) * 8, '.').match(/.{8}/g) ?? []).map((dots) =>
      Number.parseInt(dots.replaceAll('#', '1').replaceAll('.', '0'), 2),
    ),
  );
  return { width, height: lines.length, bits: Uint8Array.from(bits) };
}

/** The first rows and columns of a picture as lines of "#" and ".". */
export function show({ width, bits }: Bitmap, columns: number, rows: number): string[] {
  return Array.from({ length: rows }, (_, y) =>
    Array.from({ length: columns }, (_, x) => {
      const byte = bits[y * Math.ceil(width / 8) + (x >> 3)] ?? 0;
      return byte & (0x80 >> (x & 7)) ? '#' : '.';
    }).join(''),
  );
}

/** Two letters. */
export const LETTERS = draw('#.#.###.', '#.#..#..', '###..#..', '#.#..#..', '#.#.###.');

export function raster({ width, height, bits }: Bitmap, mode = 0): Buffer {
  const bytes = Math.ceil(width / 8);
  return Buffer.from([0x1d, 0x76, 0x30, mode, bytes % 256, bytes >> 8, height % 256, height >> 8, ...bits]);
}

export const INITIALISE = Buffer.from([0x1b, 0x40]);
export const CUT = Buffer.from([0x1d, 0x56, 0]);
export const CONFIRM = Buffer.from([0x1d, 0x72, 1]);
export const ask = (type: number) => Buffer.from([0x10, 0x04, type]);

export interface Caller {
  socket: Socket;
  send(...parts: Buffer[]): void;
  /** The next bytes of the answer; fewer if the connection ends before. */
  read(count: number): Promise<number[]>;
  /** Ends the sending side and waits until the printer has closed, too; rejects if it breaks the connection. */
  finish(): Promise<void>;
}

export function call(port: number): Caller {
  const socket = connect(port, '127.0.0.1');
  const received: number[] = [];
  socket.on('data', (bytes: Buffer) => received.push(...bytes));
  const closed = new Promise<void>((resolve, reject) => {
    socket.once('end', resolve);
    socket.once('error', reject);
  });
  closed.catch(() => {});
  return {
    socket,
    send: (...parts) => socket.write(Buffer.concat(parts)),
    async read(count) {
      await until(() => received.length >= count || socket.destroyed);
      return received.splice(0, count);
    },
    async finish() {
      socket.end();
      await closed;
    },
  };
}
