// Reads the size of a logo from its PNG or JPEG header. The file was checked when it was uploaded.

import { FRAMES, readJpegSegments } from './jpeg-segments.ts';

const PNG_START = 0x89504e47;

/** The size in pixels. If the file does not contain the size, the image counts as a square. */
export function imageSizeOf(file: Buffer): { width: number; height: number } {
  if (file.length >= 24 && file.readUInt32BE(0) === PNG_START)
    return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
  for (const { marker, bytes } of readJpegSegments(file))
    if (FRAMES.includes(marker) && bytes.length >= 9)
      return { height: bytes.readUInt16BE(5), width: bytes.readUInt16BE(7) };
  return { width: 1, height: 1 };
}
