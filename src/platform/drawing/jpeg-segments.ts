// Reads the segments of a JPEG. Each segment has a marker, a length and data. The segment of a scan also includes the
// image data, up to the next marker.

export interface JpegSegment {
  marker: number;
  /** The whole segment, from its marker to the end of its data. */
  bytes: Buffer;
  /** The position in the file of the first byte after the segment. */
  end: number;
}

const SOI = 0xd8;
/** The end of the image. */
export const EOI = 0xd9;
/** The start of a scan. */
export const SOS = 0xda;
/**
 * The markers of frame headers, for the kinds of JPEG that browsers and PDF readers can show. A frame header contains
 * the size of the image.
 */
export const FRAMES = [0xc0, 0xc1, 0xc2];

/**
 * Whether the scan data continues after the byte 0xFF and this byte. A zero means that 0xFF itself is a data byte. The
 * values 0xD0 to 0xD7 are restart markers, which occur within the data.
 */
const isWithinData = (marker: number) => marker === 0 || (marker >= 0xd0 && marker <= 0xd7);

/** Yields the segments after the marker SOI. Stops after the end of the image, or where the file is malformed. */
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
