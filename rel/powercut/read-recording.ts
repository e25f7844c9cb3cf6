// Reads what record-writes.c recorded: the writes to the database and its log, and the syncs, in their order.

const KINDS = ['write', 'truncate', 'sync-begin', 'sync-end'] as const;
const FILES = ['other', 'database', 'log', 'folder'] as const;
const HEAD_BYTES = 32;

export interface DiskRecord {
  kind: (typeof KINDS)[number];
  file: (typeof FILES)[number];
  /** When it was recorded: CLOCK_MONOTONIC in nanoseconds. */
  atNs: number;
  /** The offset of a write, the new length of a truncation, or the number of a sync. */
  offset: number;
  bytes: Buffer;
}

export function readRecording(recording: Buffer): DiskRecord[] {
  const records: DiskRecord[] = [];
  for (let at = 0; at + HEAD_BYTES <= recording.length; ) {
    const kind = KINDS[recording.readUInt32LE(at)];
    const file = FILES[recording.readUInt32LE(at + 4)];
    if (!kind || !file) throw new Error(`the recording is damaged at ${at}`);
    const [atNs, offset, length] = [8, 16, 24].map((field) => Number(recording.readBigUInt64LE(at + field)));
    if (atNs === undefined || offset === undefined || length === undefined) throw new Error('unreachable');
    at += HEAD_BYTES;
    // The last write is incomplete if the service was killed while it was recorded.
    if (at + length > recording.length) break;
    records.push({ kind, file, atNs, offset, bytes: recording.subarray(at, at + length) });
    at += length;
  }
  return records;
}
