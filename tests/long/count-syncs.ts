// Counts how often a child process syncs to disk, by tracing its system calls. SQLite's own report of its settings is
// not enough: some builds report FULL and behave like NORMAL.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../support/run-gastpass.ts';

/** Runs a module with a data folder as its argument and counts fsync and fdatasync. */
export function countSyncs(module: string): number {
  const { folder, remove } = makeFolder();
  const report = join(folder, 'strace.txt');
  const watch = ['-f', '-o', report, '-e', 'trace=fsync,fdatasync'];
  const program = [process.execPath, '--input-type=module', '-e', module, folder];
  const { status, stderr, error } = spawnSync('strace', [...watch, ...program], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`strace ended with ${status}: ${error ?? stderr}`);
  const syncs = readFileSync(report, 'utf8').match(/\bf(data)?sync\(/g)?.length ?? 0;
  remove();
  return syncs;
}
