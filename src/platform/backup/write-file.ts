// Writes a file that only its owner can read, under a temporary name until it is complete and on disk. If anything
// fails, no file is left behind.

import {
  createWriteStream,
  existsSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { errorCodeOf, sayFileCode } from '../values/file-error.ts';
import { WrongConfiguration } from '../values/wrong-configuration.ts';

/** The name of the file until it is complete. */
export const partialOf = (file: string) => `${file}.partial`;

/**
 * Returns the size of the file. The function `write` must end the stream and wait until it is closed, as `pipeline`
 * does. Only then is the content on disk.
 */
export async function writeFileWhole(
  file: string,
  write: (stream: Writable) => Promise<void>,
): Promise<number> {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found)
    throw new WrongConfiguration(
      found.isFile()
        ? `${file} exists already: choose another name, or delete it`
        : `${file} exists and is not a file: choose another name, or - for standard output`,
    );
  const partial = partialOf(file);
  const stream = createWriteStream('', { fd: openNew(file, partial), flush: true });
  try {
    await write(stream);
    const { size } = statSync(partial);
    adopt(partial, file);
    try {
      await syncFolder(dirname(file));
    } catch (error) {
      rmSync(file, { force: true });
      throw error;
    }
    return size;
  } catch (error) {
    throw translate(error, file);
  } finally {
    stream.destroy();
    rmSync(partial, { force: true });
  }
}

function openNew(file: string, partial: string): number {
  try {
    return openSync(partial, 'wx', 0o600);
  } catch (error) {
    const folder = dirname(file);
    if (!existsSync(folder)) throw new WrongConfiguration(`the folder ${folder} does not exist`);
    if (errorCodeOf(error) === 'EEXIST')
      throw new WrongConfiguration(
        `${partial} exists: another backup is being written there, or was killed; in that case delete the file`,
      );
    throw translate(error, file);
  }
}

/** Gives the file its final name. Does not replace a file that another process has created in the meantime. */
function adopt(partial: string, file: string): void {
  try {
    linkSync(partial, file);
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') throw new WrongConfiguration(`${file} exists already`);
    // Some file systems, such as those of memory sticks, have no hard links. There the file is renamed.
    renameSync(partial, file);
  }
}

/** Codes of errors that are ignored: some file systems cannot sync a folder, and some folders cannot be read. */
const CANNOT_SYNC = ['EINVAL', 'ENOTSUP', 'EACCES', 'EPERM'];

/** Syncs the folder, so that the name of the new file survives a crash. Does nothing where that is not possible. */
async function syncFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path, 'r');
    await folder.sync();
  } catch (error) {
    if (!CANNOT_SYNC.includes(errorCodeOf(error) ?? '')) throw error;
  }
}

function translate(error: unknown, file: string): unknown {
  const code = errorCodeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new Error(`${file} was not written, because its disk is full: free some space, or choose another`);
  if (code && /^E[A-Z]+$/.test(code) && error instanceof Error && 'syscall' in error)
    return new WrongConfiguration(`${file} cannot be written ${sayFileCode(code)}`);
  return error;
}
