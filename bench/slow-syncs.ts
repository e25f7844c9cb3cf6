// Builds the library that simulates a slow disk.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('slow-syncs.c', import.meta.url));

/** Returns settings for a service whose syncs take that long, or undefined without a C compiler. */
export function buildSlowSyncs(): ((ms: number) => Record<string, string>) | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'gastpass-syncs-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  const library = join(folder, 'slow-syncs.so');
  const words = ['-O2', '-Wall', '-Werror', '-shared', '-fPIC', '-o', library, SOURCE];
  const { status, error } = spawnSync('cc', words, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) return undefined;
  if (status !== 0) throw new Error('slow-syncs.c cannot be compiled');
  return (ms) => ({ LD_PRELOAD: library, SYNC_MS: String(ms) });
}
