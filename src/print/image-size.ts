// Reads the size of a logo from its PNG or JPEG header. The file was checked when it was uploaded.

const PNG_START = 0x89504e47;
/** The segment of a JPEG file that contains the size. */
const JPEG_FRAMES = [0xc0, 0xc1, 0xc2];

/** In pixels; a square if the file does not say. */
export function imageSizeOf(bytes: Buffer): { width: number; height: number } {
  if (bytes.length >= 24 && bytes.readUInt32BE(0) === PNG_START)
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  for (let at = 2; at + 9 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    // Any number of fill bytes may precede a marker.
    while (bytes[at + 1] === 0xff && at + 10 <= bytes.length) at += 1;
    if (JPEG_FRAMES.includes(bytes[at + 1] ?? 0))
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return { width: 1, height: 1 };
}
