// The installation's secret if none is configured: a file in the data folder, created on first use and readable only
// by its owner. The file is never created next to an existing database, which depends on an earlier secret.

import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WrongSecret } from './secret-check.ts';

const SECRET_BYTES = 32;

export function readOrMakeSecret(dataDir: string, installationIsNew: boolean): string {
  const file = join(dataDir, 'secret');
  if (!existsSync(file)) {
    if (!installationIsNew) throw new WrongSecret();
    makeSecret(file);
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret === '') throw new WrongSecret();
  return secret;
}

/** Creates the file atomically, with its content synced to disk. If two processes create it, the first one wins. */
function makeSecret(file: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    unlinkSync(draft);
  }
}
