// Copies a buffer into memory of its own. Node puts small buffers into blocks of 64 kB that many share, and a buffer
// that is kept for long keeps its whole block.

export function withOwnMemory(buffer: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(buffer.length);
  buffer.copy(own);
  return own;
}
