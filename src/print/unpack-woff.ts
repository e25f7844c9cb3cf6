// Converts a WOFF font to TrueType. WOFF compresses each table of the font separately; if the WOFF file were used
// directly, its tables would be decompressed again for every glyph.

import { inflateSync } from 'node:zlib';

const WOFF_HEAD = 44;
const WOFF_ENTRY = 20;
const HEAD = 12;
const ENTRY = 16;

export function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const head = Buffer.alloc(HEAD + ENTRY * count);
  woff.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  const parts = [head];
  let end = head.length;
  for (let index = 0; index < count; index++) {
    const from = WOFF_HEAD + WOFF_ENTRY * index;
    const at = woff.readUInt32BE(from + 4);
    const [packed, length] = [woff.readUInt32BE(from + 8), woff.readUInt32BE(from + 12)];
    const bytes = woff.subarray(at, at + packed);
    const padded = Buffer.alloc(Math.ceil(length / 4) * 4);
    padded.set(packed < length ? inflateSync(bytes) : bytes);
    const to = HEAD + ENTRY * index;
    woff.copy(head, to, from, from + 4);
    woff.copy(head, to + 4, from + 16, from + 20);
    head.writeUInt32BE(end, to + 8);
    head.writeUInt32BE(length, to + 12);
    parts.push(padded);
    end += padded.length;
  }
  return Buffer.concat(parts);
}
