// Locks on a data folder: one service at a time, and one rekey at a time. A lock is a file lock of the operating system,
// which releases it when the process ends for any reason.

import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeDataFolder } from './data-folder.ts';
import { guarded, isBusy } from './sqlite/connection.ts';

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

/** Returns the function that releases the lock. */
export function lockForService(dataDir: string): () => void {
  return lock(dataDir, 'service.lock') ?? refuse(new AlreadyServed(dataDir));
}

/** Only the holder of this lock may write or rename the files of the secret. */
export function lockForRekey(dataDir: string): () => void {
  return lock(dataDir, 'rekey.lock') ?? refuse(new AlreadyRekeying(dataDir));
}

function lock(dataDir: string, name: string): (() => void) | undefined {
  makeDataFolder(dataDir);
  const path = join(dataDir, name);
  const file = new DatabaseSync(path, { timeout: 0 });
  chmodSync(path, 0o600);
  try {
    guarded(() => file.exec('pragma journal_mode = memory; begin exclusive'));
  } catch (error) {
    file.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return () => file.close();
}

function refuse(error: Error): never {
  throw error;
}
