// Locks on a data folder, for one service at a time and one rekey at a time. A lock is a file lock of the operating
// system, which releases the lock when the process ends for any reason.

import { accessSync, chmodSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataFolder } from './data-folder.ts';
import { guarded, isBusy, openFile } from './sqlite/connection.ts';

const SERVICE_LOCK = 'service.lock';
/** How long to wait for the lock. `doctor` blocks it for a moment when it checks whether a service is running. */
const PATIENCE_MS = 100;

export class AlreadyServed extends Error {
  constructor(dataDir: string) {
    super(`another service is running on the data folder ${dataDir}: stop it first, or set DATA_DIR`);
    this.name = 'AlreadyServed';
  }
}

export class AlreadyRekeying extends Error {
  constructor(dataDir: string) {
    super(`another gastpass rekey is running on the data folder ${dataDir}`);
    this.name = 'AlreadyRekeying';
  }
}

/** Releases the lock when it is called, or at the end of `using`. */
export type Lock = (() => void) & Disposable;

export function lockForService(dataDir: string): Lock {
  return lock(dataDir, SERVICE_LOCK, AlreadyServed);
}

/** Only the holder of this lock may write or rename the files of the secret. */
export function lockForRekey(dataDir: string): Lock {
  return lock(dataDir, 'rekey.lock', AlreadyRekeying);
}

const LOOK_EVERY_MS = 1_000;

/**
 * Locks the folder for the running service. If somebody removes the locked file, a second service could start, so the
 * file is locked again. `onRemoved` is called then, with the error if that fails. If another service was faster,
 * `whenTaken` resolves, and this service must end.
 */
export function holdForService(dataDir: string, onRemoved: (error?: unknown) => void) {
  const path = join(dataDir, SERVICE_LOCK);
  const { promise: whenTaken, resolve } = Promise.withResolvers<Error>();
  let release = lockForService(dataDir);
  let locked = fileNumberOf(path);
  let hasFailed = false;
  const timer = setInterval(() => {
    if (fileNumberOf(path) === locked) return;
    try {
      // The folder is not made again: the database was in it.
      accessSync(dataDir);
      const next = lockForService(dataDir);
      release();
      [release, locked, hasFailed] = [next, fileNumberOf(path), false];
      onRemoved();
    } catch (error) {
      if (error instanceof AlreadyServed) resolve(error);
      else if (!hasFailed) onRemoved(error);
      hasFailed = true;
    }
  }, LOOK_EVERY_MS).unref();
  return {
    whenTaken,
    release() {
      clearInterval(timer);
      release();
    },
  };
}

function fileNumberOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

/** Whether a service holds the lock. Blocks the lock only for a moment. */
export function isServed(dataDir: string): boolean {
  const path = join(dataDir, SERVICE_LOCK);
  if (!existsSync(path)) return false;
  using file = openFile(path, { readOnly: true, timeout: 0 });
  try {
    guarded(() => file.exec('select 1 from sqlite_master'));
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  }
}

function lock(dataDir: string, name: string, Refusal: new (dataDir: string) => Error): Lock {
  makeDataFolder(dataDir);
  const path = join(dataDir, name);
  const file = openFile(path, { timeout: PATIENCE_MS });
  chmodSync(path, 0o600);
  try {
    guarded(() => file.exec('pragma journal_mode = memory; begin exclusive'));
  } catch (error) {
    file.close();
    throw isBusy(error) ? new Refusal(dataDir) : error;
  }
  const release = () => file.close();
  return Object.assign(release, { [Symbol.dispose]: release });
}
