// Removes the metadata of an image. Keeps only the PNG chunks and JPEG segments that are needed to show the image.
// Texts, times, places, previews and bytes after the end are removed. The orientation in the EXIF data of a JPEG is
// kept, because browsers and the PDF writer rotate the image by it.

import { EOI, type JpegSegment, readJpegSegments } from '../../platform/drawing/jpeg-segments.ts';
import type { Image } from './settings.ts';

/** A broken image stays as it is. */
export function withoutMetadata(image: Image): Image {
  const { type, bytes } = image;
  const kept = type === 'image/png' ? shownOfPng(bytes) : shownOfJpeg(bytes);
  return kept ? { type, bytes: Buffer.concat(kept) } : image;
}

const SIGNATURE_BYTES = 8;
/** The number of bytes for the length, the type and the checksum of a chunk. */
const FRAME_BYTES = 12;
const SHOWN_CHUNKS = ['IHDR', 'PLTE', 'tRNS', 'gAMA', 'sRGB', 'IDAT', 'IEND'];

function shownOfPng(bytes: Buffer): Buffer[] | undefined {
  const kept = [bytes.subarray(0, SIGNATURE_BYTES)];
  for (let at = SIGNATURE_BYTES; at + FRAME_BYTES <= bytes.length; ) {
    const end = at + FRAME_BYTES + bytes.readUInt32BE(at);
    if (end > bytes.length) return undefined;
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (SHOWN_CHUNKS.includes(name)) kept.push(bytes.subarray(at, end));
    if (name === 'IEND') return kept;
    at = end;
  }
  return undefined;
}

/** JPEG markers: the first and the last marker of application segments, and the marker of a comment. */
const [APP0, APP15, COMMENT] = [0xe0, 0xef, 0xfe];
/** Application segments that are kept, because they affect size or colours. The value is the start of their data. */
const SHOWN_SEGMENTS = new Map([
  [APP0, 'JFIF\0'],
  [0xe2, 'ICC_PROFILE\0'],
  [0xee, 'Adobe'],
]);
const APP1 = 0xe1;
const EXIF = 'Exif\0\0';
/** The number of bytes of a segment's marker and length. */
const HEADER_BYTES = 4;

function shownOfJpeg(file: Buffer): Buffer[] | undefined {
  const kept = [file.subarray(0, 2)];
  let hasExif = false;
  for (const segment of readJpegSegments(file)) {
    if (isShown(segment)) kept.push(segment.marker === APP0 ? withoutPreview(segment) : segment.bytes);
    else if (!hasExif && segment.marker === APP1 && startsWith(segment, EXIF)) {
      hasExif = true;
      const orientation = readOrientation(segment.bytes.subarray(HEADER_BYTES + EXIF.length));
      if (orientation > UPRIGHT) kept.push(exifWith(orientation));
    }
    if (segment.marker === EOI) return kept;
  }
  return undefined;
}

function isShown(segment: JpegSegment): boolean {
  const { marker } = segment;
  if (marker === COMMENT) return false;
  if (marker < APP0 || marker > APP15) return true;
  const name = SHOWN_SEGMENTS.get(marker);
  return name !== undefined && startsWith(segment, name);
}

/** The length of a JFIF segment without its preview, and the position of the preview's width and height. */
const [JFIF_BYTES, PREVIEW_SIZE_AT] = [18, 16];

function withoutPreview({ bytes }: JpegSegment): Buffer {
  const jfif = Buffer.from(bytes.subarray(0, JFIF_BYTES));
  if (jfif.length === JFIF_BYTES) jfif.fill(0, PREVIEW_SIZE_AT);
  jfif.writeUInt16BE(jfif.length - 2, 2);
  return jfif;
}

function startsWith({ bytes }: JpegSegment, name: string): boolean {
  return bytes.toString('latin1', HEADER_BYTES, HEADER_BYTES + name.length) === name;
}

const UPRIGHT = 1;
const MAX_ORIENTATION = 8;
const ORIENTATION_TAG = 0x0112;
/** A list of EXIF tags begins with the number of its entries. Each entry has a tag, a type, a count and a value. */
const [COUNT_BYTES, ENTRY_BYTES, VALUE_AT] = [2, 12, 8];

/** @param tiff EXIF data in the structure of a TIFF file: byte order, position of the first list of tags, lists */
function readOrientation(tiff: Buffer): number {
  const isLittleEndian = tiff.toString('latin1', 0, 2) === 'II';
  const read = (at: number, size: 2 | 4) => {
    if (at + size > tiff.length) return 0;
    return isLittleEndian ? tiff.readUIntLE(at, size) : tiff.readUIntBE(at, size);
  };
  const list = read(4, 4);
  for (let index = 0; index < read(list, 2); index++) {
    const entry = list + COUNT_BYTES + index * ENTRY_BYTES;
    if (read(entry, 2) !== ORIENTATION_TAG) continue;
    const orientation = read(entry + VALUE_AT, 2);
    return orientation <= MAX_ORIENTATION ? orientation : UPRIGHT;
  }
  return UPRIGHT;
}

/** The start of an EXIF segment that contains only the orientation. The value of the orientation follows this start. */
const EXIF_START = Buffer.from('ffe10022457869660000' + '4d4d002a00000008' + '00010112000300000001', 'hex');

function exifWith(orientation: number): Buffer {
  return Buffer.concat([EXIF_START, Buffer.from([0, orientation, 0, 0, 0, 0, 0, 0])]);
}
