// The installation's secret where none is configured: a file in the data folder, made on first use and
// readable by its owner alone. It is never made anew beside a database that already depends on one.

import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WrongSecret } from './seal.ts';

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

/** Appears whole and on disk, or not at all; of two processes that try, the first one's stays. */
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
