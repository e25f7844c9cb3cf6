// The installation's secret if none is configured: a file in the data folder, created on first use and readable only
// by its owner. The file is never created next to an existing database, which depends on an earlier secret. `rekey`
// stores the next secret in a file of its own, and renames that file when the database uses the next secret.

import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { errorCodeOf } from '../values/file-error.ts';
import { WrongConfiguration } from '../values/wrong-configuration.ts';
import { WrongSecret } from './secret-check.ts';

const SECRET_BYTES = 32;

export class UnreadableSecret extends WrongConfiguration {
  constructor(file: string, why: string) {
    super(
      `the secret in ${file} cannot be read (${why}): run the command as the service's user, or give the file to that user with chown`,
    );
    this.name = 'UnreadableSecret';
  }
}

const fileIn = (dataDir: string) => join(dataDir, 'secret');
const nextFileIn = (dataDir: string) => join(dataDir, 'secret.new');

export function readOrMakeSecret(dataDir: string, installationIsNew: boolean): string {
  const file = fileIn(dataDir);
  if (!existsSync(file)) {
    if (!installationIsNew) throw new WrongSecret();
    makeSecret(file);
  }
  const secret = read(file);
  if (secret === '') throw new WrongSecret();
  return secret;
}

/** Creates the file atomically, with its content synced to disk. If two processes create it, the first one wins. */
function makeSecret(file: string, secret?: string): void {
  const newFile = `${file}.${process.pid}`;
  writeSecret(newFile, secret);
  try {
    linkSync(newFile, file);
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error;
  } finally {
    unlinkSync(newFile);
  }
}

function writeSecret(file: string, secret = randomBytes(SECRET_BYTES).toString('base64url')): string {
  writeFileSync(file, `${secret}\n`, { mode: 0o600, flush: true });
  return secret;
}

/** Stores the secret of a restored installation, which has no other one. Returns a function that removes it again. */
export function storeSecret(dataDir: string, secret: string): () => void {
  const file = fileIn(dataDir);
  makeSecret(file, secret);
  if (read(file) !== secret) throw new WrongSecret();
  syncFolder(dataDir);
  return () => rmSync(file, { force: true });
}

/** The secrets in the data folder, the newest first. While a rekey is under way there are two. */
export function readSecrets(dataDir: string): string[] {
  // Read the next secret before the current one. If its file is renamed in between, its secret is found as the current
  // one.
  return [nextFileIn(dataDir), fileIn(dataDir)].map(read).filter((secret) => secret !== '');
}

export function readNextSecret(dataDir: string): string | undefined {
  return read(nextFileIn(dataDir)) || undefined;
}

/** Creates the file of the next secret. Once this function has returned, the file survives a crash of the machine. */
export function makeNextSecret(dataDir: string): string {
  const newFile = nextFileIn(dataDir);
  rmSync(newFile, { force: true });
  const secret = writeSecret(newFile);
  // If root runs the command, the service's user must still be able to read the file.
  const { uid, gid } = statSync(fileIn(dataDir));
  if (statSync(newFile).uid !== uid) chownSync(newFile, uid, gid);
  syncFolder(dataDir);
  return secret;
}

export function adoptNextSecret(dataDir: string): void {
  renameSync(nextFileIn(dataDir), fileIn(dataDir));
  syncFolder(dataDir);
}

/** Syncs the folder, so that the names of its files survive a crash. */
function syncFolder(dataDir: string): void {
  const folder = openSync(dataDir, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Returns an empty text if there is no such file. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const code = errorCodeOf(error) ?? 'unreadable';
    if (code === 'ENOENT') return '';
    throw new UnreadableSecret(file, code);
  }
}
