// Reads the segments of a JPEG: a marker, a length and data each. The data of a scan runs up to the next marker.

export interface JpegSegment {
  marker: number;
  /** From the marker to the end of the data. */
  bytes: Buffer;
  /** The position after the segment in the file. */
  end: number;
}

const SOI = 0xd8;
/** The end of the image. */
export const EOI = 0xd9;
/** The start of a scan. */
export const SOS = 0xda;
/** Headers of frames that browsers and PDF readers can show. They contain the size of the image. */
export const FRAMES = [0xc0, 0xc1, 0xc2];

/** Not the end of the scan data: a stuffed zero (the 0xFF before it is a data byte) or a restart marker. */
const isWithinData = (marker: number) => marker === 0 || (marker >= 0xd0 && marker <= 0xd7);

/** The segments after the first marker. Ends after the end of the image, or earlier where the file is malformed. */
export function* readJpegSegments(file: Buffer): Generator<JpegSegment> {
  for (let at = 2; at + 2 <= file.length; ) {
    const marker = file[at + 1] ?? 0;
    if (file[at] !== 0xff || isWithinData(marker) || marker === SOI) return;
    // Any number of fill bytes may precede a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const end = marker === EOI ? at + 2 : endOfSegment(file, at, marker);
    if (end === undefined) return;
    yield { marker, bytes: file.subarray(at, end), end };
    if (marker === EOI) return;
    at = end;
  }
}

function endOfSegment(file: Buffer, at: number, marker: number): number | undefined {
  if (at + 4 > file.length) return undefined;
  const length = file.readUInt16BE(at + 2);
  const end = at + 2 + length;
  if (length < 2 || end > file.length) return undefined;
  return marker === SOS ? endOfData(file, end) : end;
}

function endOfData(file: Buffer, from: number): number {
  let at = file.indexOf(0xff, from);
  while (at >= 0 && isWithinData(file[at + 1] ?? 0)) at = file.indexOf(0xff, at + 2);
  return at < 0 ? file.length : at;
}
