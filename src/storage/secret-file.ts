// The installation's secret where none is configured: a file in the data folder, made on first use and
// readable by its owner alone. It is never made anew beside a database that already depends on one.

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WrongSecret } from './seal.ts';

const SECRET_BYTES = 32;

export function readOrMakeSecret(dataDir: string, installationIsNew: boolean): string {
  const file = join(dataDir, 'secret');
  if (!existsSync(file)) {
    if (!installationIsNew) throw new WrongSecret();
    try {
      writeFileSync(file, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`, {
        mode: 0o600,
        flag: 'wx',
      });
    } catch (error) {
      // Another process was a moment faster: its secret is the one.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret === '') throw new WrongSecret();
  return secret;
}
