// Tests the image check, which looks only at the bytes: it accepts complete PNG and JPEG files within the size limits
// and rejects everything else.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { chunk, JPEG, makePng } from '../../../tests/support/pictures.ts';
import { checkImage, MAX_IMAGE_BYTES, MAX_SIDE_PX } from './image-check.ts';

const issueOf = (bytes: Buffer) => {
  const checked = checkImage(bytes);
  return checked.ok ? checked.value.type : checked.problem;
};
const withByte = (bytes: Buffer, at: number, value: number) => {
  const changed = Buffer.from(bytes);
  changed[at] = value;
  return changed;
};
const text = (content: string) => Buffer.from(content);

test('PNG and JPEG files are accepted unchanged, including their metadata', () => {
  const png = makePng(32, 16, chunk('tEXt', text('Comment\0made by <script>')));
  assert.equal(issueOf(png), 'image/png');
  assert.equal(issueOf(JPEG), 'image/jpeg');
  const checked = checkImage(png);
  assert.ok(checked.ok && checked.value.bytes.equals(png));
});

test('any other type of file is refused', () => {
  const others = [
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    'GIF89a\x20\0\x20\0',
    '<!doctype html><script>alert(1)</script>',
    'RIFF\0\0\0\0WEBPVP8 ',
    '%PDF-1.7',
    'PK\x03\x04',
  ];
  for (const other of others) assert.equal(issueOf(text(other)), 'other-kind', other);
  assert.equal(issueOf(Buffer.concat([text('\n'), makePng()])), 'other-kind');
  assert.equal(issueOf(Buffer.alloc(0)), 'empty');
});

test('bytes after the end of an image are refused', () => {
  for (const picture of [makePng(), JPEG])
    for (const more of [' ', '<script>alert(1)</script>', 'PK\x03\x04'])
      assert.equal(issueOf(Buffer.concat([picture, text(more)])), 'more-after');
  assert.equal(issueOf(Buffer.concat([JPEG, JPEG])), 'more-after');
});

test('images have limits in pixels and in bytes', () => {
  assert.equal(issueOf(makePng(16, MAX_SIDE_PX)), 'image/png');
  for (const [width, height] of [
    [15, 16],
    [16, 15],
    [MAX_SIDE_PX + 1, 16],
    [16, MAX_SIDE_PX + 1],
    [0, 16],
  ])
    assert.equal(issueOf(makePng(width, height)), 'wrong-size', `${width} × ${height}`);
  const size = JPEG.indexOf(Buffer.from('ffc0', 'hex')) + 5;
  assert.equal(issueOf(withByte(JPEG, size, 0x40)), 'wrong-size');
  const filling = (bytes: number) => makePng(32, 16, chunk('tEXt', Buffer.alloc(bytes)));
  const rest = MAX_IMAGE_BYTES - filling(0).length;
  assert.equal(issueOf(filling(rest)), 'image/png');
  assert.equal(issueOf(filling(rest + 1)), 'too-heavy');
});

describe('broken files are refused:', () => {
  test('an image truncated at any byte', () => {
    for (const picture of [makePng(), JPEG])
      for (let length = 8; length < picture.length; length++)
        assert.equal(issueOf(picture.subarray(0, length)), 'broken', `after ${length} bytes`);
  });

  test('a PNG with a wrong bit in any byte', () => {
    const png = makePng();
    for (let at = 8; at < png.length; at++)
      assert.equal(issueOf(withByte(png, at, (png[at] ?? 0) ^ 1)), 'broken', `byte ${at}`);
  });

  test('a PNG that decompresses to more or less data than its pixels need', () => {
    const [start, end] = [makePng().subarray(0, 33), makePng().subarray(-12)];
    const withData = (bytes: number) =>
      issueOf(Buffer.concat([start, chunk('IDAT', deflateSync(Buffer.alloc(bytes))), end]));
    assert.equal(withData(33 * 16), 'image/png');
    for (const bytes of [33 * 16 - 1, 33 * 16 + 1, 50_000_000]) assert.equal(withData(bytes), 'broken');
  });

  test('a PNG whose header has values that PNG does not define', () => {
    const header = makePng().subarray(16, 29);
    const withHeader = (changed: Buffer) =>
      issueOf(
        Buffer.concat([
          makePng().subarray(0, 8),
          chunk('IHDR', Buffer.from(changed)),
          makePng().subarray(33),
        ]),
      );
    assert.equal(withHeader(header), 'image/png');
    const [depth, colour, compression, filter, interlace] = [8, 9, 10, 11, 12];
    for (const [at, values] of [
      [depth, [0, 3, 5, 7, 9, 32, 255]],
      [colour, [1, 5, 7, 255]],
      [compression, [1, 255]],
      [filter, [1, 255]],
      [interlace, [2, 255]],
    ] as const)
      for (const value of values)
        assert.equal(withHeader(withByte(header, at, value)), 'broken', `${at}: ${value}`);
    for (const other of [header.subarray(0, 12), Buffer.concat([header, Buffer.alloc(1)]), Buffer.alloc(0)])
      assert.equal(withHeader(other), 'broken');
  });

  test('a PNG whose bits do not suit its colour type', () => {
    const rowBytes = (depth: number, channels: number) => 1 + Math.ceil((16 * depth * channels) / 8);
    const picture = (colour: number, depth: number, channels: number) => {
      const header = Buffer.from([0, 0, 0, 16, 0, 0, 0, 16, depth, colour, 0, 0, 0]);
      const data = deflateSync(Buffer.alloc(16 * rowBytes(depth, channels)));
      return Buffer.concat([
        makePng().subarray(0, 8),
        chunk('IHDR', header),
        chunk('IDAT', data),
        chunk('IEND'),
      ]);
    };
    const allowed = new Map([
      [0, { channels: 1, depths: [1, 2, 4, 8, 16] }],
      [2, { channels: 3, depths: [8, 16] }],
      [3, { channels: 1, depths: [1, 2, 4, 8] }],
      [4, { channels: 2, depths: [8, 16] }],
      [6, { channels: 4, depths: [8, 16] }],
    ]);
    for (const [colour, { channels, depths }] of allowed)
      for (const depth of [1, 2, 4, 8, 16]) {
        const expected = depths.includes(depth) ? 'image/png' : 'broken';
        assert.equal(issueOf(picture(colour, depth, channels)), expected, `colour ${colour}, ${depth} bits`);
      }
  });

  test('a PNG with missing, repeated or misplaced chunks', () => {
    const signature = makePng().subarray(0, 8);
    const header = makePng().subarray(8, 33);
    const [data, end] = [chunk('IDAT', deflateSync(Buffer.alloc(33 * 16))), chunk('IEND')];
    const wrong = [
      [header, end],
      [data, end],
      [header, header, data, end],
      [data, header, end],
    ];
    for (const parts of [...wrong, [header, data, chunk('IEND', text('x'))]])
      assert.equal(issueOf(Buffer.concat([signature, ...parts])), 'broken');
    assert.equal(issueOf(Buffer.concat([signature, header, data, end])), 'image/png');
  });

  test('a JPEG without a frame or scan, with two frames, or with invalid lengths', () => {
    const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
    const frame = 'ffc0 000b 08 0010 0010 01 011100';
    const scan = 'ffda 0008 01 0100 003f00 aa';
    assert.equal(issueOf(bytes(`ffd8 ${frame} ${scan} ffd9`)), 'image/jpeg');
    for (const wrong of [
      `ffd8 ${frame} ffd9`,
      `ffd8 ${scan} ffd9`,
      `ffd8 ${frame} ${frame} ${scan} ffd9`,
      `ffd8 ffe0 0001 ${frame} ${scan} ffd9`,
      `ffd8 ffe0 ffff ${frame} ${scan} ffd9`,
      `ffd8 ffd8 ${frame} ${scan} ffd9`,
      `ffd8 ffc3 000b 08 0010 0010 01 011100 ${scan} ffd9`,
      `ffd8 ffff`,
    ])
      assert.equal(issueOf(bytes(wrong)), 'broken', wrong);
  });
});
