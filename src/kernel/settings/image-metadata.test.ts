// Tests that an image loses everything that does not show it, and nothing else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunk, JPEG, makePng } from '../../../tests/support/pictures.ts';
import { withoutMetadata } from './image-metadata.ts';

const text = (content: string) => Buffer.from(content);
const stripped = (bytes: Buffer) => withoutMetadata({ type: 'image/png', bytes }).bytes;
const strippedJpeg = (bytes: Buffer) => withoutMetadata({ type: 'image/jpeg', bytes }).bytes;

function segment(marker: number, content: string | Buffer): Buffer {
  const data = Buffer.from(content);
  const header = Buffer.from([0xff, marker, 0, 0]);
  header.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([header, data]);
}

/** The JPEG with further segments after its first one, which is JFIF. */
function jpegWith(...segments: Buffer[]): Buffer {
  const at = 4 + JPEG.readUInt16BE(4);
  return Buffer.concat([JPEG.subarray(0, at), ...segments, JPEG.subarray(at)]);
}

/** EXIF data with the maker of the camera, the orientation and the place, as cameras write it. */
function exif(order: 'II' | 'MM', orientation: number, { tag = 0x0112, count = 3 } = {}): Buffer {
  const number = (value: number, size: 2 | 4) => {
    const bytes = Buffer.alloc(size);
    if (order === 'II') bytes.writeUIntLE(value, 0, size);
    else bytes.writeUIntBE(value, 0, size);
    return bytes;
  };
  const entry = (name: number, type: number, value: Buffer) => [
    number(name, 2),
    number(type, 2),
    number(1, 4),
    value,
  ];
  return segment(
    0xe1,
    Buffer.concat([
      text(`Exif\0\0${order}`),
      ...[number(42, 2), number(8, 4), number(count, 2)],
      ...entry(0x010f, 2, text('Cam\0')),
      ...entry(tag, 3, Buffer.concat([number(orientation, 2), number(0, 2)])),
      ...entry(0x8825, 4, text('GPS!')),
      number(0, 4),
      text('52.5 N, 13.4 E'),
    ]),
  );
}

const onlyOrientation = (orientation: number) =>
  segment(
    0xe1,
    Buffer.from(
      `4578696600004d4d002a000000080001011200030000000100${orientation.toString(16).padStart(2, '0')}000000000000`,
      'hex',
    ),
  );

test('texts, times, EXIF data, profiles, private chunks and bytes after the end are removed', () => {
  for (const name of ['tEXt', 'zTXt', 'iTXt', 'tIME', 'eXIf', 'iCCP', 'pHYs', 'acTL', 'prVt'])
    assert.ok(stripped(makePng(32, 16, chunk(name, text('GPS 52.5, 13.4')))).equals(makePng()), name);
  assert.ok(stripped(Buffer.concat([makePng(), text('PK\x03\x04')])).equals(makePng()));
});

test('palette, transparency and colour space stay, in their order', () => {
  const shown = ['gAMA', 'sRGB', 'PLTE', 'tRNS'].map((name) => chunk(name, text(name)));
  const png = makePng(32, 16, ...shown);
  assert.ok(stripped(png).equals(png));
});

test('a broken PNG stays as it is', () => {
  const png = makePng(32, 16, chunk('tEXt', text('a')));
  for (let length = 0; length < png.length; length++)
    assert.equal(stripped(png.subarray(0, length)).length, length);
});

test('EXIF data, XMP, previews, captions, comments and bytes after the end of a JPEG are removed', () => {
  for (const removed of [
    exif('MM', 1),
    segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>Ada</x:xmpmeta>'),
    segment(0xed, 'Photoshop 3.0\x008BIM\x04\x04 Ada'),
    segment(0xfe, 'made by Ada'),
    segment(0xe0, 'JFXX\0\x10 a preview'),
    segment(0xe2, 'MPF\0 more images'),
    segment(0xe2, 'ICC'),
    segment(0xef, 'private'),
    Buffer.from('ff', 'hex'),
  ])
    assert.ok(strippedJpeg(jpegWith(removed)).equals(JPEG), removed.toString('latin1'));
  assert.ok(strippedJpeg(Buffer.concat([JPEG, text('PK\x03\x04')])).equals(JPEG));
});

test('the preview in the JFIF segment is removed, and its density stays', () => {
  const jfif = (size: string, preview: string) =>
    segment(
      0xe0,
      Buffer.concat([text('JFIF\0'), Buffer.from(`0102010048002a${size}`, 'hex'), text(preview)]),
    );
  const rest = JPEG.subarray(4 + JPEG.readUInt16BE(4));
  const [made, kept] = [jfif('0101', 'RGB'), jfif('0000', '')].map((first) =>
    Buffer.concat([JPEG.subarray(0, 2), first, rest]),
  );
  assert.ok(made && kept);
  assert.equal(strippedJpeg(made).toString('hex'), kept.toString('hex'));
});

test('a comment between two scans is removed, and the data of both scans stays', () => {
  const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
  const [frame, scan] = ['ffc2 000b 08 0010 0010 01 011100', 'ffda 0008 01 0100 003f00 aa ff00 ffd3 bb'];
  const comment = segment(0xfe, 'Ada').toString('hex');
  const progressive = bytes(`ffd8 ${frame} ${scan} ${comment} ${scan} ffd9`);
  assert.equal(
    strippedJpeg(progressive).toString('hex'),
    bytes(`ffd8 ${frame} ${scan} ${scan} ffd9`).toString('hex'),
  );
});

test('a colour profile and the colours of Adobe stay, in their order', () => {
  const shown = [segment(0xe2, 'ICC_PROFILE\0\x01\x01profile'), segment(0xee, 'Adobe\0d\0\0\0\0\x01')];
  assert.ok(strippedJpeg(jpegWith(...shown)).equals(jpegWith(...shown)));
});

test('of EXIF data, only an orientation that turns the image stays', () => {
  for (const order of ['II', 'MM'] as const) {
    for (let orientation = 2; orientation <= 8; orientation++) {
      const turned = strippedJpeg(jpegWith(exif(order, orientation), segment(0xfe, 'Ada')));
      assert.ok(turned.equals(jpegWith(onlyOrientation(orientation))), `${order} ${orientation}`);
      assert.ok(strippedJpeg(turned).equals(turned));
    }
    for (const wrong of [0, 9, 256, 65_535])
      assert.ok(strippedJpeg(jpegWith(exif(order, wrong))).equals(JPEG), `${order} ${wrong}`);
  }
  assert.ok(strippedJpeg(jpegWith(exif('MM', 6, { tag: 0x0111, count: 65_535 }))).equals(JPEG));
  // Only the first EXIF data counts, as for the PDF writer.
  assert.ok(strippedJpeg(jpegWith(exif('MM', 1), exif('MM', 6))).equals(JPEG));
});

test('EXIF data that is cut short or points beyond its end is removed', () => {
  const whole = exif('II', 6);
  for (let length = 10; length < 44; length++) {
    const cut = segment(0xe1, whole.subarray(4, length));
    const rest = strippedJpeg(jpegWith(cut));
    assert.ok(rest.equals(JPEG) || rest.equals(jpegWith(onlyOrientation(6))), `after ${length} bytes`);
  }
  const astray = Buffer.from(whole);
  astray.writeUInt32LE(0xffff_fff0, 14);
  assert.ok(strippedJpeg(jpegWith(astray)).equals(JPEG));
});

test('a broken JPEG stays as it is', () => {
  const jpeg = jpegWith(segment(0xfe, 'Ada'));
  for (let length = 0; length < jpeg.length; length++)
    assert.equal(strippedJpeg(jpeg.subarray(0, length)).length, length);
});
