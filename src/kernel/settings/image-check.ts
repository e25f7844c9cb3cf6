// Checks an uploaded image: it must be a complete PNG or JPEG file within the size limits. Only the bytes count, not
// the file name or the declared type. The bytes are not modified.

import { crc32, inflateSync } from 'node:zlib';
import { EOI, FRAMES, readJpegSegments, SOS } from '../../platform/drawing/jpeg-segments.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { Image } from './settings.ts';

export const MAX_IMAGE_BYTES = 256 * 1024;
export const MIN_SIDE_PX = 16;
export const MAX_SIDE_PX = 2_000;

/**
 * `other-kind`: neither PNG nor JPEG. `broken`: starts like a PNG or JPEG but is malformed. `more-after`: other data
 * follows the end of the image.
 */
export type ImageIssue = 'empty' | 'too-heavy' | 'other-kind' | 'broken' | 'more-after' | 'wrong-size';

type Size = { width: number; height: number };
type Reading = Result<Size, ImageIssue>;

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG_START = Buffer.from([0xff, 0xd8, 0xff]);

export function checkImage(bytes: Buffer): Result<Image, ImageIssue> {
  if (bytes.length === 0) return fail('empty');
  if (bytes.length > MAX_IMAGE_BYTES) return fail('too-heavy');
  const type = beginsWith(bytes, PNG_SIGNATURE)
    ? 'image/png'
    : beginsWith(bytes, JPEG_START)
      ? 'image/jpeg'
      : undefined;
  if (!type) return fail('other-kind');
  const size = type === 'image/png' ? readPng(bytes) : readJpeg(bytes);
  if (!size.ok) return size;
  return hasAllowedSize(size.value) ? ok({ type, bytes }) : fail('wrong-size');
}

function hasAllowedSize({ width, height }: Size): boolean {
  return Math.min(width, height) >= MIN_SIDE_PX && Math.max(width, height) <= MAX_SIDE_PX;
}

function beginsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start);
}

/** A PNG is a list of chunks (length, type, data, checksum): IHDR first, then the image data in IDAT, IEND last. */
function readPng(bytes: Buffer): Reading {
  let header: Buffer | undefined;
  const data: Buffer[] = [];
  for (let at = PNG_SIGNATURE.length; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const next = at + 12 + length;
    if (next > bytes.length) return fail('broken');
    if (crc32(bytes.subarray(at + 4, next - 4)) !== bytes.readUInt32BE(next - 4)) return fail('broken');
    const type = bytes.toString('latin1', at + 4, at + 8);
    if ((type === 'IHDR') !== (header === undefined)) return fail('broken');
    if (type === 'IHDR') {
      header = bytes.subarray(at + 8, next - 4);
      const issue = pngHeaderIssue(header);
      if (issue) return fail(issue);
    }
    if (type === 'IDAT') data.push(bytes.subarray(at + 8, next - 4));
    if (type === 'IEND') {
      if (!header || length !== 0) return fail('broken');
      return next === bytes.length ? readPixels(header, data) : fail('more-after');
    }
    at = next;
  }
  return fail('broken');
}

/** The colour types of PNG: the number of values per pixel, and the allowed numbers of bits per value. */
const COLOUR_TYPES = new Map([
  [0, { channels: 1, depths: [1, 2, 4, 8, 16] }],
  [2, { channels: 3, depths: [8, 16] }],
  [3, { channels: 1, depths: [1, 2, 4, 8] }],
  [4, { channels: 2, depths: [8, 16] }],
  [6, { channels: 4, depths: [8, 16] }],
]);

/**
 * Checks every field of the header before any data is decompressed, because programs differ in how they treat invalid
 * values.
 */
function pngHeaderIssue(header: Buffer): ImageIssue | undefined {
  if (header.length !== 13) return 'broken';
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = header.subarray(8);
  if (!COLOUR_TYPES.get(colour)?.depths.includes(depth)) return 'broken';
  if (compression !== 0 || filter !== 0 || interlace > 1) return 'broken';
  return hasAllowedSize(sizeOf(header)) ? undefined : 'wrong-size';
}

function sizeOf(header: Buffer): Size {
  return { width: header.readUInt32BE(0), height: header.readUInt32BE(4) };
}

/**
 * Guards against decompression bombs, small files that exhaust memory when drawn: the data must not inflate to more
 * than the image's dimensions require.
 */
function readPixels(header: Buffer, data: Buffer[]): Reading {
  const size = sizeOf(header);
  const [depth = 0, colour = 0] = header.subarray(8);
  const rowBytes = 1 + Math.ceil((size.width * (COLOUR_TYPES.get(colour)?.channels ?? 0) * depth) / 8);
  const isInterlaced = header[12] === 1;
  try {
    // An interlaced image has more, but shorter, rows, so its data is larger. Only an upper limit is checked for it.
    const maxOutputLength = size.height * rowBytes * (isInterlaced ? 2 : 1) + (isInterlaced ? 64 : 0);
    const pixels = inflateSync(Buffer.concat(data), { maxOutputLength });
    return isInterlaced || pixels.length === maxOutputLength ? ok(size) : fail('broken');
  } catch {
    return fail('broken');
  }
}

/** A complete JPEG has a frame header with the dimensions, then at least one scan, and nothing after its end. */
function readJpeg(file: Buffer): Reading {
  let size: Size | undefined;
  let hasScan = false;
  for (const { marker, bytes, end } of readJpegSegments(file)) {
    if (FRAMES.includes(marker)) {
      if (size || bytes.length < 13) return fail('broken');
      size = { height: bytes.readUInt16BE(5), width: bytes.readUInt16BE(7) };
    }
    if (marker === SOS) {
      if (!size) return fail('broken');
      hasScan = true;
    }
    if (marker === EOI && size && hasScan) return end === file.length ? ok(size) : fail('more-after');
  }
  return fail('broken');
}
