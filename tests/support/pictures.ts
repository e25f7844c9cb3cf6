// Small images for tests: PNGs of any size, and a JPEG.

import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

export function chunk(type: string, content = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A PNG in one colour, with additional chunks if a test needs them. */
export function makePng(width = 32, height = 16, ...others: Buffer[]): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const data = chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height)));
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), ...others, data, chunk('IEND')]);
}

/** 24 pixels wide, 16 high. */
export const JPEG = Buffer.from(
  [
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP////////////////////////////////////////////////////////',
    '//////////////////////////////2wBDAf//////////////////////////////////////////////////////',
    '////////////////////////////////wAARCAAQABgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAH/xA',
    'AUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFgEBAQEAAAAAAAAAAAAAAAAAAAEC/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/a',
    'AAwDAQACEQMRAD8AgDSAAP/Z',
  ].join(''),
  'base64',
);
