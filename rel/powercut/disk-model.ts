// What a disk can hold after a power cut: everything that was synced, and any part of the later writes. Goes through
// the recording once, so cuts must be made in the order of the records.

import type { World } from '../sim/world.ts';
import type { DiskRecord } from './read-recording.ts';

const SECTOR_BYTES = 512;

export interface DiskModel {
  /** Continues to the moment before the record with this index. */
  advanceTo(index: number): void;
  /** The files after a cut at this moment. `log` is undefined if its entry in the folder is lost. */
  cut(world: World): { database: Buffer; log: Buffer | undefined };
}

/** A file: its synced content, and the changes that are not synced. */
interface ModelFile {
  synced: Content;
  pending: DiskRecord[];
  /** The number of all changes so far, and at the beginning of each sync that is running. */
  changes: number;
  changesAtSync: Map<number, number>;
}

export function makeDiskModel(records: DiskRecord[], database: Buffer): DiskModel {
  const files = { database: makeFile(database), log: makeFile(Buffer.alloc(0)) };
  let next = 0;
  let isLogNamed = false;

  function note(record: DiskRecord): void {
    const { kind, file, offset } = record;
    if (file === 'folder') isLogNamed ||= kind === 'sync-end';
    if (file !== 'database' && file !== 'log') return;
    const target = files[file];
    if (kind === 'sync-begin') target.changesAtSync.set(offset, target.changes);
    else if (kind === 'sync-end') finishSync(target, offset);
    else {
      target.pending.push(record);
      target.changes++;
    }
  }

  return {
    advanceTo(index) {
      for (const record of records.slice(next, index)) note(record);
      next = index;
    },
    cut(world) {
      const isLogLost = !isLogNamed && world.once(2);
      const database = cutFile(files.database, world);
      const log = cutFile(files.log, world);
      return { database, log: isLogLost ? undefined : log };
    },
  };
}

const makeFile = (content: Buffer): ModelFile => ({
  synced: new Content(content),
  pending: [],
  changes: 0,
  changesAtSync: new Map(),
});

function finishSync(file: ModelFile, number: number): void {
  const synced = file.changesAtSync.get(number) ?? 0;
  file.changesAtSync.delete(number);
  const before = file.changes - file.pending.length;
  for (const change of file.pending.splice(0, Math.max(0, synced - before))) file.synced.change(change);
}

/** In a third of the cuts, only the first of the changes have reached the disk. In the others, any of them have. */
function cutFile({ synced, pending }: ModelFile, world: World): Buffer {
  const content = synced.copy();
  const share = world.random();
  const written = world.once(3)
    ? pending.slice(0, world.between(0, pending.length))
    : pending.filter(() => world.random() < share);
  const isTorn = world.once(2);
  for (const [index, change] of written.entries()) {
    if (isTorn && (index === written.length - 1 || world.once(4))) tear(content, change, world);
    else content.change(change);
  }
  return content.bytes();
}

/** Writes only a part of the change: its first bytes, or some of its sectors. */
function tear(content: Content, change: DiskRecord, world: World): void {
  const { offset, bytes } = change;
  if (change.kind === 'truncate') return;
  if (world.once(2)) {
    content.change({ ...change, bytes: bytes.subarray(0, world.between(0, bytes.length)) });
    return;
  }
  for (let from = 0; from < bytes.length; ) {
    const to = from + SECTOR_BYTES - ((offset + from) % SECTOR_BYTES);
    if (world.once(2)) content.change({ ...change, offset: offset + from, bytes: bytes.subarray(from, to) });
    from = to;
  }
}

/** Bytes that grow like a file: a write beyond the end fills the gap with zeros. */
class Content {
  #space: Buffer;
  #size: number;

  constructor(content: Buffer) {
    this.#space = Buffer.from(content);
    this.#size = content.length;
  }

  change({ kind, offset, bytes }: DiskRecord): void {
    const end = kind === 'truncate' ? offset : Math.max(this.#size, offset + bytes.length);
    if (end > this.#space.length) this.#space = Buffer.concat([this.#space], 2 * end);
    if (kind === 'truncate') this.#space.fill(0, end);
    else bytes.copy(this.#space, offset);
    this.#size = end;
  }

  copy(): Content {
    return new Content(this.bytes());
  }

  bytes(): Buffer {
    return this.#space.subarray(0, this.#size);
  }
}
